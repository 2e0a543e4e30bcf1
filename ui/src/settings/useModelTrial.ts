import { useCallback, useRef, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { type Check, type Trial, tryModel } from "./modelSetupApi";

export const CHECKS: Check[] = ["streaming", "tools", "judge"];

export interface ModelTrialState {
  model: string;
  /** The results so far, by check. */
  results: Partial<Record<Check, Trial>>;
  /** The check that runs now. */
  running: Check | null;
  problem: Problem | null;
  run: (model: string) => Promise<void>;
  clear: () => void;
}

/** Try a model: three real requests, one after the other. If the first one fails, the others are not made. */
export function useModelTrial(onDone: () => void = () => undefined): ModelTrialState {
  const [model, setModel] = useState("");
  const [results, setResults] = useState<ModelTrialState["results"]>({});
  const [running, setRunning] = useState<Check | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const turn = useRef(0);

  const clear = useCallback(() => {
    turn.current += 1;
    setModel("");
    setResults({});
    setRunning(null);
    setProblem(null);
  }, []);

  const run = useCallback(
    async (tried: string) => {
      clear();
      const mine = turn.current;
      setModel(tried);
      try {
        for (const check of CHECKS) {
          setRunning(check);
          const result = await tryModel(tried, check);
          // Another model was chosen meanwhile: its trial shows, and this one does not.
          if (turn.current !== mine) return;
          setResults((now) => ({ ...now, [check]: result }));
          if (check === "streaming" && result.outcome === "failed") break;
        }
      } catch (error) {
        if (turn.current === mine) setProblem(toProblem(error));
      }
      if (turn.current !== mine) return;
      setRunning(null);
      onDone();
    },
    [clear, onDone],
  );
  return { model, results, running, problem, run, clear };
}
