import { useLayoutEffect, useRef } from "react";
import { useTranslate } from "../../i18n";
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
          <VerdictIcon form={form} />
          {words}
          {place < parts.length - 1 && ","}
        </span>
      ))}
    </p>
  );
}
