import { useLayoutEffect, useRef } from "react";
import { useTranslate } from "../../i18n";
import { type DoubtfulVerdict, isDoubtful, stepDoubtful } from "../citations/doubtfulSentences";
import { VerdictIcon } from "../citations/VerdictIcon";
import { summarizeVerdicts } from "../citations/verdicts";
import type { Turn } from "../turns";

/** One line above an answer that counts its verdicts. Its space is reserved from the start. */
export function VerdictSummary({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const line = useRef<HTMLParagraphElement>(null);
  const parts = summarizeVerdicts(t, turn);
  const isComing = turn.state === "running" && turn.text.trim() !== "";
  // On a narrow page it may take two lines. It keeps them, so that the answer does not jump.
  useLayoutEffect(() => {
    if (line.current && turn.state === "running") line.current.style.minHeight = `${line.current.offsetHeight}px`;
  }, [turn]);
  if (!parts.length && !isComing) return null;
  return (
    <p ref={line} className="summary">
      {parts.map(({ form, words }, place) => (
        <span key={form} data-form={form}>
          {isDoubtful(form) ? (
            <SummaryButton turn={turn.id} form={form} words={words} />
          ) : (
            <>
              <VerdictIcon form={form} />
              {words}
            </>
          )}
          {place < parts.length - 1 && ","}
        </span>
      ))}
    </p>
  );
}

/** A count of doubtful sentences. A press goes to the next of them. */
function SummaryButton({ turn, form, words }: { turn: string; form: DoubtfulVerdict; words: string }) {
  const t = useTranslate();
  return (
    <button
      type="button"
      title={t("conversation.summed.go")}
      // The focus stays on the sentence that was reached, so that the next press goes on from there.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => stepDoubtful(1, { turn, form })}
    >
      <VerdictIcon form={form} />
      {words}
    </button>
  );
}
