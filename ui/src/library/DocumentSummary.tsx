import { useEffect, useRef } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { AnswerText } from "../conversation/thread/AnswerText";
import { CUT_MESSAGES } from "../conversation/thread/Exchange";
import { VerdictSummary } from "../conversation/thread/VerdictSummary";
import type { Turn } from "../conversation/turns";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { requestSummary, summaryStore } from "./summaryStore";
import "../conversation/conversation.css";

interface DocumentSummaryProps {
  document: string;
  /** The request for a summary, in the document's language. */
  question: string;
  language: string;
}

/** A button that has the document summarised, and the summary in its place, each sentence with its source. */
export function DocumentSummary({ document, question, language }: DocumentSummaryProps) {
  const t = useTranslate();
  const summary = useStore(summaryStore)[document] ?? null;
  const section = useRef<HTMLElement>(null);
  const wasPressed = useRef(false);
  const isShown = summary !== null;
  useEffect(() => {
    // The button that had the focus is gone.
    if (isShown && wasPressed.current) section.current?.focus();
  }, [isShown]);
  const ask = () => {
    wasPressed.current = true;
    section.current?.focus(); // of a summary that failed, whose button goes too
    void requestSummary(document, question);
  };
  if (!summary)
    return (
      <button type="button" className="button" onClick={ask}>
        <Icon name="spark" size={16} /> {t("library.card.summary")}
      </button>
    );
  const { turn, problem } = summary;
  const fault = problem ?? turn?.fault ?? null;
  return (
    <section className="card-summary" aria-label={t("library.card.summary.title")} ref={section} tabIndex={-1}>
      <h3 className="small soft">{t("library.card.summary.title")}</h3>
      {turn && <WrittenSummary turn={turn} language={language} />}
      {!fault && !turn?.text.trim() && (
        <p className="thinking" role="status">
          <span className="spinner" aria-hidden="true" /> {t("conversation.thinking")}
        </p>
      )}
      {fault && (
        <ErrorMessage fault={fault}>
          <button type="button" className="button" onClick={ask}>
            {t("library.again")}
          </button>
        </ErrorMessage>
      )}
    </section>
  );
}

function WrittenSummary({ turn, language }: { turn: Turn; language: string }) {
  const t = useTranslate();
  return (
    <>
      {!turn.answer?.refused && <VerdictSummary turn={turn} />}
      <div lang={language || undefined}>{turn.text.trim() && <AnswerText turn={turn} />}</div>
      {turn.answer?.cut && <p className="cut">{t(CUT_MESSAGES[turn.answer.cut])}</p>}
    </>
  );
}
