/** The measurement of the judge: begun here, followed by asking again each second until it is over. */
import { useEffect, useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import { type Calibration, calibration, measureJudge } from "./asking";

const SECOND = 1000;

export interface Measuring {
  progress: Calibration | null;
  isRunning: boolean;
  problem: Problem | null;
  begin: () => void;
}

/** A measurement, also one that was begun before this page was opened. */
export function useMeasuring(): Measuring {
  const [progress, set] = useState<Calibration | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBegun, setBegun] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const line = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () =>
      calibration(line.signal).then(
        (now) => {
          if (line.signal.aborted) return;
          set(now);
          if (now.state === "running") timer = setTimeout(look, SECOND);
        },
        (error: unknown) => {
          if (line.signal.aborted) return;
          // A server that does not measure has nothing to follow; what was begun here is said.
          if (turn) setProblem(asProblem(error));
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
    measureJudge()
      .then(
        (begun) => {
          set(begun);
          setTurn((now) => now + 1);
        },
        (error: unknown) => setProblem(asProblem(error)),
      )
      .finally(() => setBegun(false));
  };
  return { progress, isRunning: isBegun || progress?.state === "running", problem, begin };
}
