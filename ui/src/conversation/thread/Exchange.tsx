import { memo } from "react";
import type { Answer } from "../../api/types";
import { ErrorMessage } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { type MessageKey, useTranslate } from "../../i18n";
import { useSelector } from "../../state/useSelector";
import { namePage } from "../../text/pageNames";
import { openDocument } from "../../viewer/viewerStore";
import { ContinueCall } from "../changes/ContinueCall";
import { ProposedChanges } from "../changes/ProposedChanges";
import { SourceList } from "../citations/SourceList";
import { isRunning as isAnswering } from "../conversationState";
import { conversationStore } from "../conversationStore";
import { Gallery } from "../gallery/Gallery";
import { PassageList } from "../passages/PassageList";
import { ReportOutline } from "../report/ReportOutline";
import { StepList } from "../steps/StepList";
import type { Destination, Turn } from "../turns";
import { AnswerActions } from "./AnswerActions";
import { AnswerText } from "./AnswerText";
import { Question } from "./Question";
import { Refusal } from "./Refusal";
import { VerdictSummary } from "./VerdictSummary";
import { VersionSwitch } from "./VersionSwitch";

/** Why a model did not finish. */
export const CUT_MESSAGES: Record<NonNullable<Answer["cut"]>, MessageKey> = {
  length: "conversation.cut.length",
  connection: "conversation.cut.connection",
  repetition: "conversation.cut.repetition",
  filter: "conversation.cut.filter",
};

interface ExchangeProps {
  turn: Turn;
  /** How many exchanges come after it. */
  later: number;
  onAsk: (question: string, replaces: string) => void;
}

/** A question and its answer. */
export const Exchange = memo(function Exchange({ turn, later, onAsk }: ExchangeProps) {
  const t = useTranslate();
  const isRunning = turn.state === "running";
  const isBusy = useSelector(conversationStore, isAnswering) || isRunning;
  const hasPassages = turn.passages.length > 0;
  const again = () => onAsk(turn.question, turn.id);
  return (
    <article className="exchange" id={turn.id} data-state={turn.state}>
      <Question text={turn.question} later={later} isLocked={isBusy} onAsk={(text) => onAsk(text, turn.id)}>
        <VersionSwitch question={turn.questionId} isLocked={isBusy} />
      </Question>
      {turn.rewrittenQuestion && turn.rewrittenQuestion !== turn.question && (
        <p className="understood">{t("conversation.understood", { question: turn.rewrittenQuestion })}</p>
      )}
      <StepList turn={turn} />
      <ReportOutline turn={turn} />
      {isRunning &&
        !turn.text.trim() &&
        !turn.steps.some((step) => step.kind !== "thought" && step.status === "running") && (
          <p className="thinking">
            <span className="spinner" aria-hidden="true" /> {t("conversation.thinking")}
          </p>
        )}
      {!turn.answer?.refused && !hasPassages && <VerdictSummary turn={turn} />}
      <AnswerBody turn={turn} />
      {turn.answer?.cut && <p className="cut">{t(CUT_MESSAGES[turn.answer.cut])}</p>}
      {turn.state === "stopped" && <p className="stopped">{t("conversation.stopped")}</p>}
      {turn.fault && (
        <ErrorMessage fault={turn.fault}>
          {!isBusy && (
            <button type="button" className="button" onClick={again}>
              {t("conversation.again")}
            </button>
          )}
        </ErrorMessage>
      )}
      {!isRunning && turn.destination && <PageButton destination={turn.destination} turn={turn} />}
      {!isRunning && <Gallery turn={turn} />}
      {!isRunning && !hasPassages && <SourceList turn={turn} />}
      <ProposedChanges turn={turn} />
      {isRunning ? <div className="answer-space" /> : <ContinueCall turn={turn} canContinue={later === 0 && !isBusy} />}
      {!isRunning && turn.text.trim() && (
        <AnswerActions turn={turn} isLast={later === 0 && !turn.fault && !isBusy} onAgain={again} />
      )}
    </article>
  );
});

/** The answer: passages, a refusal with the nearest passages, or text. */
export function AnswerBody({ turn }: { turn: Turn }) {
  if (turn.passages.length) return <PassageList turn={turn} />;
  if (turn.answer?.refused) return <Refusal turn={turn} />;
  return turn.text.trim() ? <AnswerText turn={turn} /> : null;
}

/**
 * Opens the page that an answer leads to, where it did not open by itself or was closed since. What is known of its
 * document is in the sources of the answer.
 */
function PageButton({ destination: { document, page }, turn }: { destination: Destination; turn: Turn }) {
  const t = useTranslate();
  const sources = [...turn.citations, ...turn.evidence].filter((each) => each.document === document);
  const title = sources.find((each) => each.title)?.title;
  const cited = turn.citations.find((each) => each.document === document && each.page === page);
  const name = namePage(t, { page, label: cited?.label ?? "" });
  return (
    <button type="button" className="plain" onClick={() => openDocument(document, page)}>
      <Icon name="forward" size={14} />{" "}
      {title ? t("conversation.goTo", { page: name, title }) : t("viewer.linkTo", { page: name })}
    </button>
  );
}
