import { useEffect } from "react";
import type { Citation, Sentence } from "../api/shapes";
import { choose, desk } from "../desk";
import { namePage } from "../pageNames";
import { type Say, useWords } from "../words";
import { CARD, hide, hideSoon, shown, showSoon } from "./cards";
import { formOf, verdictOf } from "./forms";
import { markKey, markOf } from "./marks";
import { usePicked } from "./picked";
import { Sign } from "./Sign";
import type { Turn } from "./turns";

interface ChipProps {
  turn: Turn;
  sentence: Sentence;
  index: number;
  n: number;
  /** Whether what it cites is shown beside it when it is looked at; a passage stands there already. */
  hasCard?: boolean;
}

/** A citation after its sentence: how far it holds, by shape and in words; it opens the source at the exact words. */
export function Chip({ turn, sentence, index, n, hasCard = true }: ChipProps) {
  const say = useWords();
  const key = markKey(turn.id, n);
  const isChosen = usePicked(desk, ({ chosen }) => n > 0 && chosen === key);
  const isShown = usePicked(shown, (card) => card?.turn.id === turn.id && card.index === index && card.n === n);
  const citation = turn.citations.find((each) => each.n === n);
  // A verdict may settle while its card is looked at.
  useEffect(() => {
    if (!isShown) return;
    shown.set((card) =>
      card && card.sentence !== sentence ? { ...card, turn, sentence, citation: citation ?? null } : card,
    );
  }, [isShown, turn, sentence, citation]);
  if (n && !citation) return <sup className="chip-neutral">{n}</sup>;
  const form = formOf(sentence);
  const about = { turn, sentence, index, n, citation: citation ?? null };
  const openSource = () => {
    const mark = markOf(turn, n);
    if (!mark) return;
    // The source is looked at now: the card would lie over it.
    hide();
    choose(mark);
  };
  return (
    <button
      type="button"
      className="chip"
      data-form={form}
      data-mark={n ? key : undefined}
      data-chosen={isChosen || undefined}
      aria-label={chipName(say, sentence, citation ?? null)}
      aria-describedby={isShown ? CARD : undefined}
      onClick={openSource}
      onPointerEnter={(event) =>
        hasCard && event.pointerType === "mouse" && showSoon({ ...about, chip: event.currentTarget })
      }
      onPointerLeave={hideSoon}
      onFocus={(event) =>
        hasCard && event.currentTarget.matches(":focus-visible") && showSoon({ ...about, chip: event.currentTarget })
      }
      onBlur={hideSoon}
    >
      {form && <Sign form={form} />}
      {n > 0 && n}
    </button>
  );
}

/** A citation in words: its number, how far it holds, and where it leads. */
function chipName(say: Say, sentence: Sentence, citation: Citation | null): string {
  const verdict = verdictOf(say, sentence);
  if (!citation) return verdict;
  const { n, title, page } = citation;
  const values = { n, verdict, title, page: namePage(say, citation) };
  return say(page ? "conversation.chip" : "conversation.chipNoPage", values);
}
