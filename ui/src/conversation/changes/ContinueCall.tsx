import { useState } from "react";
import { type Problem, toProblem } from "../../api/problem";
import type { Answer } from "../../api/types";
import { ErrorMessage } from "../../components/ErrorMessage";
import { type MessageKey, useTranslate } from "../../i18n";
import { conversationStore } from "../conversationStore";
import type { Turn } from "../turns";

type State = NonNullable<Answer["progress"]>["state"];

/** What is told about work that came to its end by itself; a request that is satisfied needs no words. */
const STATES: Record<State, MessageKey | null> = {
  satisfied: null,
  looping: "changes.progress.looping",
  stalled: "changes.progress.stalled",
  unfinished: "changes.progress.unfinished",
};

interface ContinueCallProps {
  turn: Turn;
  /** Whether the next step can be taken: this is the last answer, and nothing is running. */
  canContinue: boolean;
}

/** How far the work has come. Where it is not finished, the user decides whether it goes on. */
export function ContinueCall({ turn, canContinue }: ContinueCallProps) {
  const t = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const progress = turn.answer?.progress ?? null;
  const call = turn.calls.find(({ tool }) => tool === "continue");
  const result = turn.results.findLast((each) => each.call === call?.id)?.status;
  const told = progress && STATES[progress.state];
  if (!call && !told) return null;
  if (result === "continue") return null;
  const answer = (status: "continue" | "stop") => {
    if (!call) return;
    setBusy(true);
    setProblem(null);
    conversationStore
      .report({ call: call.id, status })
      .catch((error: unknown) => setProblem(toProblem(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div className="continue">
      <p>
        {t(result === "stop" ? "changes.progress.stopped" : (told ?? "changes.progress.unfinished"))}
        {progress?.reason && <span className="soft"> {progress.reason}</span>}
        {progress && progress.most > 1 && (
          <span className="soft"> {t("changes.progress.turn", { turn: progress.turn, most: progress.most })}</span>
        )}
      </p>
      {call && !result && canContinue && (
        <div className="changes-actions">
          <button type="button" className="button main" disabled={isBusy} onClick={() => answer("continue")}>
            {t("changes.continue")}
          </button>
          <button type="button" className="button" disabled={isBusy} onClick={() => answer("stop")}>
            {t("changes.stop")}
          </button>
        </div>
      )}
      {problem && <ErrorMessage fault={problem} />}
    </div>
  );
}
