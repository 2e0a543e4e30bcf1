import { useEffect } from "react";
import type { Citation, Sentence } from "../../api/types";
import { type Translate, useTranslate } from "../../i18n";
import { useSelector } from "../../state/useSelector";
import { nameLinesShortly } from "../../text/lineNames";
import { namePage } from "../../text/pageNames";
import { openSource } from "../../viewer/openSource";
import { viewerStore } from "../../viewer/viewerStore";
import type { Turn } from "../turns";
import { CARD_ID, cardStore } from "./cardStore";
import { findMark, makeMarkKey } from "./citationMarks";
import { VerdictIcon } from "./VerdictIcon";
import { getVerdict, nameVerdict } from "./verdicts";

interface CitationChipProps {
  turn: Turn;
  sentence: Sentence;
  index: number;
  n: number;
  /** Whether the chip shows a card. The chip of a passage does not: the passage is shown already. */
  hasCard?: boolean;
}

/** A citation after its sentence. Its icon shows the verdict, and a click opens the source at the quoted words. */
export function CitationChip({ turn, sentence, index, n, hasCard = true }: CitationChipProps) {
  const t = useTranslate();
  const key = makeMarkKey(turn.id, n);
  const isChosen = useSelector(viewerStore, ({ chosenKey: chosen }) => n > 0 && chosen === key);
  const isShown = useSelector(cardStore, (card) => card?.turn.id === turn.id && card.index === index && card.n === n);
  const citation = turn.citations.find((each) => each.n === n);
  // The verdict may arrive while its card is open.
  useEffect(() => {
    if (!isShown) return;
    cardStore.set((card) =>
      card && card.sentence !== sentence ? { ...card, turn, sentence, citation: citation ?? null } : card,
    );
  }, [isShown, turn, sentence, citation]);
  if (n && !citation) return <sup className="chip-neutral">{n}</sup>;
  const form = getVerdict(sentence);
  const about = { turn, sentence, index, n, citation: citation ?? null };
  const open = () => {
    const mark = findMark(turn, n);
    if (!mark) return;
    // The card would cover the source.
    cardStore.hide();
    openSource(mark);
  };
  return (
    <button
      type="button"
      className="chip"
      data-form={form}
      data-sentence={index}
      data-mark={n ? key : undefined}
      data-chosen={isChosen || undefined}
      aria-label={describeChip(t, sentence, citation ?? null)}
      aria-describedby={isShown ? CARD_ID : undefined}
      onClick={open}
      onPointerEnter={(event) =>
        hasCard && event.pointerType === "mouse" && cardStore.showSoon({ ...about, chip: event.currentTarget })
      }
      onPointerLeave={cardStore.hideSoon}
      onFocus={(event) =>
        hasCard &&
        event.currentTarget.matches(":focus-visible") &&
        // A dialog that closes gives the focus back: the reader did not go to the mark.
        !event.relatedTarget?.closest("dialog") &&
        cardStore.showSoon({ ...about, chip: event.currentTarget })
      }
      onBlur={cardStore.hideSoon}
    >
      {form && <VerdictIcon form={form} />}
      {n > 0 && n}
      {hasCard && citation?.path && (
        <>
          {" "}
          <span className="chip-lines">{nameLinesShortly(citation)}</span>
        </>
      )}
    </button>
  );
}

/** Describe a citation: its number, its verdict and its source. */
function describeChip(t: Translate, sentence: Sentence, citation: Citation | null): string {
  const verdict = nameVerdict(t, sentence);
  if (!citation) return verdict;
  const { n, title, page, path } = citation;
  if (path) return t("conversation.chipLines", { n, verdict, lines: nameLinesShortly(citation), path });
  const values = { n, verdict, title, page: namePage(t, citation) };
  return t(page ? "conversation.chip" : "conversation.chipNoPage", values);
}
