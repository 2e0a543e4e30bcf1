/** The measurement of the judge. The page polls its progress every second. */
import { useEffect, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { type Calibration, loadCalibration, startCalibration } from "./settingsApi";

const POLL_INTERVAL = 1000;

export interface CalibrationRun {
  progress: Calibration | null;
  isRunning: boolean;
  problem: Problem | null;
  begin: () => void;
}

/** Follow a measurement, including one that was started before this page was opened. */
export function useCalibration(): CalibrationRun {
  const [progress, set] = useState<Calibration | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBegun, setBegun] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const line = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () =>
      loadCalibration(line.signal).then(
        (now) => {
          if (line.signal.aborted) return;
          set(now);
          if (now.state === "running") timer = setTimeout(look, POLL_INTERVAL);
        },
        (error: unknown) => {
          if (line.signal.aborted) return;
          // A server that does not measure has no progress. Report it only if the user started a measurement.
          if (turn) setProblem(toProblem(error));
          set(null);
        },
      );
    void look();
    return () => {
      line.abort();
      clearTimeout(timer);
    };
  }, [turn]);

  const begin = () => {
    setProblem(null);
    setBegun(true);
    startCalibration()
      .then(
        (begun) => {
          set(begun);
          setTurn((now) => now + 1);
        },
        (error: unknown) => setProblem(toProblem(error)),
      )
      .finally(() => setBegun(false));
  };
  return { progress, isRunning: isBegun || progress?.state === "running", problem, begin };
}
