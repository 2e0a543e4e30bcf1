import { useCallback, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import type { TestResult } from "./settingsApi";

export interface ConnectionTestState {
  isBusy: boolean;
  result: TestResult | null;
  problem: Problem | null;
  run: (test: () => Promise<TestResult>) => void;
  clear: () => void;
}

/** Run a connection test and keep its last result. */
export function useConnectionTest(): ConnectionTestState {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const clear = useCallback(() => {
    setResult(null);
    setProblem(null);
  }, []);
  const run = useCallback(
    (test: () => Promise<TestResult>) => {
      clear();
      setBusy(true);
      test()
        .then(setResult, (error: unknown) => setProblem(toProblem(error)))
        .finally(() => setBusy(false));
    },
    [clear],
  );
  return { isBusy, result, problem, run, clear };
}

/** The result of a connection test. */
export function ConnectionTest({ trial, good }: { trial: ConnectionTestState; good: (result: TestResult) => string }) {
  const t = useTranslate();
  const { isBusy, result, problem } = trial;
  const bad = problem
    ? describeError(t, problem)
    : result && !result.ok
      ? { message: result.detail, hint: result.hint }
      : null;
  return (
    <div className="trial small" role="status">
      {isBusy && (
        <p className="soft">
          <span className="spinner" /> {t("settings.testing")}
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
