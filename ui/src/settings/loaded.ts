import { useCallback, useEffect, useState } from "react";
import { asProblem, type Problem } from "../api/problem";

export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  again: () => void;
  set: (value: T) => void;
}

/** What a call answers, asked for when the component appears; `load` must stay the same function. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [value, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is the wish to load again
  useEffect(() => {
    const line = new AbortController();
    setProblem(null);
    load(line.signal).then(set, (error: unknown) => {
      if (!line.signal.aborted) setProblem(asProblem(error));
    });
    return () => line.abort();
  }, [load, turn]);

  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { value, problem, again, set };
}
