import { type FormEvent, useState } from "react";
import { type Problem, toProblem } from "../api/problem";

export interface Submission {
  isBusy: boolean;
  problem: Problem | null;
  /** Handle the submission of a form: no second one begins before the first has ended. */
  submit: (event: FormEvent) => void;
  clear: () => void;
}

/** Send a form with `send`, and keep what went wrong. */
export function useSubmit(send: () => Promise<void>): Submission {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setProblem(null);
    setBusy(true);
    send()
      .catch((error: unknown) => setProblem(toProblem(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, problem, submit, clear: () => setProblem(null) };
}
