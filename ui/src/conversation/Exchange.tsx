import { memo } from "react";
import type { Answer } from "../api/shapes";
import { Trouble } from "../look/Trouble";
import { type Key, useWords } from "../words";
import { Actions } from "./Actions";
import { Gallery } from "./Gallery";
import { Outline } from "./Outline";
import { Passages } from "./Passages";
import { Prose } from "./Prose";
import { usePicked } from "./picked";
import { Question } from "./Question";
import { Refusal } from "./Refusal";
import { Sources } from "./Sources";
import { Steps } from "./Steps";
import { Summary } from "./Summary";
import { isRunning as isAnswering, talking } from "./talking";
import type { Turn } from "./turns";

/** Why a model did not finish. */
const CUTS: Record<NonNullable<Answer["cut"]>, Key> = {
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
  const say = useWords();
  const isRunning = turn.state === "running";
  const isBusy = usePicked(talking, (now) => isAnswering(now)) || isRunning;
  const hasPassages = turn.passages.length > 0;
  const again = () => onAsk(turn.asked, turn.id);
  return (
    <article className="exchange" id={turn.id} data-state={turn.state}>
      <Question text={turn.asked} later={later} isLocked={isBusy} onAsk={(text) => onAsk(text, turn.id)} />
      {turn.understood && turn.understood !== turn.asked && (
        <p className="understood">{say("conversation.understood", { question: turn.understood })}</p>
      )}
      <TimedSteps turn={turn} />
      <Outline turn={turn} />
      {isRunning &&
        !turn.text.trim() &&
        !turn.steps.some((step) => step.is !== "thought" && step.status === "running") && (
          <p className="thinking">
            <span className="spinner" aria-hidden="true" /> {say("conversation.thinking")}
          </p>
        )}
      {!turn.answer?.refused && !hasPassages && <Summary turn={turn} />}
      <Said turn={turn} />
      {turn.answer?.cut && <p className="cut">{say(CUTS[turn.answer.cut])}</p>}
      {turn.state === "stopped" && <p className="stopped">{say("conversation.stopped")}</p>}
      {turn.fault && (
        <Trouble fault={turn.fault}>
          {!isBusy && (
            <button type="button" className="button" onClick={again}>
              {say("conversation.again")}
            </button>
          )}
        </Trouble>
      )}
      {!isRunning && <Gallery turn={turn} />}
      {isRunning ? <div className="answer-space" /> : !hasPassages && <Sources turn={turn} />}
      {!isRunning && turn.text.trim() && (
        <Actions turn={turn} isLast={later === 0 && !turn.fault && !isBusy} onAgain={again} />
      )}
    </article>
  );
});

/** The answer itself: passages, a refusal with what came nearest, or prose. */
function Said({ turn }: { turn: Turn }) {
  if (turn.passages.length) return <Passages turn={turn} />;
  if (turn.answer?.refused) return <Refusal turn={turn} />;
  return turn.text.trim() ? <Prose turn={turn} /> : null;
}

function TimedSteps({ turn }: { turn: Turn }) {
  const seconds = usePicked(talking, ({ times }) => times[turn.id]?.words ?? null);
  return <Steps turn={turn} seconds={seconds} />;
}
