import { useEffect, useRef, useState } from "react";
import { type Translate, useTranslate } from "../../i18n";
import { summarizeVerdicts } from "../citations/verdicts";
import { countPassages } from "../passages/passageText";
import type { Turn } from "../turns";

/** Summarize an answer: its passages, or its verdicts. */
function summarizeAnswer(t: Translate, turn: Turn): string {
  const shown = turn.passages.filter(({ more }) => !more);
  if (shown.length) return t.count("conversation.found", countPassages(shown));
  return summarizeVerdicts(t, turn)
    .map(({ words }) => words)
    .join(", ");
}

/** Announces to screen readers that an answer is complete, in one sentence and not word by word. */
export function Announcer({ turn }: { turn: Turn | null }) {
  const t = useTranslate();
  const [text, setText] = useState("");
  const running = useRef<string | null>(null);
  useEffect(() => {
    if (!turn) return;
    if (turn.state === "running") {
      running.current = turn.id;
      setText(t("conversation.announce.writing"));
    } else if (running.current === turn.id) {
      running.current = null;
      const summary = summarizeAnswer(t, turn);
      if (turn.fault) setText(t("conversation.announce.failed"));
      else if (turn.state === "stopped") setText(t("conversation.stopped"));
      else if (turn.answer?.no_documents) setText(t("conversation.announce.empty"));
      else if (turn.answer?.refused) setText(t("conversation.announce.nothing"));
      else setText(t(summary ? "conversation.announce.summed" : "conversation.announce.complete", { summary }));
    }
  }, [turn, t]);
  return (
    <output className="hidden" aria-live="polite">
      {text}
    </output>
  );
}
