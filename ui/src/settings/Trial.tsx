import { useCallback, useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { useWords } from "../words";
import type { Tested } from "./asking";

export interface TrialState {
  isBusy: boolean;
  result: Tested | null;
  problem: Problem | null;
  run: (test: () => Promise<Tested>) => void;
  clear: () => void;
}

/** A trial of something: running, or what came of the last one. */
export function useTrial(): TrialState {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Tested | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const clear = useCallback(() => {
    setResult(null);
    setProblem(null);
  }, []);
  const run = useCallback(
    (test: () => Promise<Tested>) => {
      clear();
      setBusy(true);
      test()
        .then(setResult, (error: unknown) => setProblem(asProblem(error)))
        .finally(() => setBusy(false));
    },
    [clear],
  );
  return { isBusy, result, problem, run, clear };
}

/** What came of a trial, in words. */
export function Trial({ trial, good }: { trial: TrialState; good: (result: Tested) => string }) {
  const say = useWords();
  const { isBusy, result, problem } = trial;
  const bad = problem
    ? said(say, problem)
    : result && !result.ok
      ? { message: result.detail, hint: result.hint }
      : null;
  return (
    <div className="trial small" role="status">
      {isBusy && (
        <p className="soft">
          <span className="spinner" /> {say("settings.testing")}
        </p>
      )}
      {result?.ok && (
        <p className="trial-good">
          <Icon name="check" size={16} /> {good(result)}
        </p>
      )}
      {bad && (
        <p className="trial-bad">
          <Icon name="cross" size={16} />
          <span>
            {bad.message} {bad.hint && <span className="soft">{bad.hint}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
