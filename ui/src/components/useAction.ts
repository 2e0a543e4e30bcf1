import { useCallback, useState } from "react";
import { type Problem, toProblem } from "../api/problem";

export interface Action {
  isBusy: boolean;
  problem: Problem | null;
  /** Run a request; resolves to whether it succeeded. Its problem is kept until the next one begins. */
  run: (request: () => Promise<unknown>) => Promise<boolean>;
}

/** Run requests of a form one at a time, and keep the problem of the last one. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = useCallback(async (request: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await request();
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run };
}
