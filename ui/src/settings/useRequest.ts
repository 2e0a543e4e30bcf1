import { useCallback, useEffect, useState } from "react";
import { type Problem, toProblem } from "../api/problem";

export interface Request<T> {
  value: T | null;
  problem: Problem | null;
  retry: () => void;
  set: (value: T) => void;
}

/** Load data when the component is mounted. `load` must stay the same function. */
export function useRequest<T>(load: (signal: AbortSignal) => Promise<T>): Request<T> {
  const [value, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number loads again
  useEffect(() => {
    const line = new AbortController();
    setProblem(null);
    load(line.signal).then(set, (error: unknown) => {
      if (!line.signal.aborted) setProblem(toProblem(error));
    });
    return () => line.abort();
  }, [load, turn]);

  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { value, problem, retry: again, set };
}
