import { useEffect, useLayoutEffect, useRef } from "react";
import type { Citation } from "../../api/types";
import { Icon } from "../../components/Icon";
import { type Translate, useTranslate } from "../../i18n";
import { canKeep } from "../../notebook/keepSentence";
import { keepThing } from "../../notebook/keepThing";
import { useStore } from "../../state/store";
import { citeQuote } from "../../text/citedQuotes";
import { copyText } from "../../text/clipboard";
import { nameLines } from "../../text/lineNames";
import { findLastPage, namePage } from "../../text/pageNames";
import { tidyQuote } from "../../text/quotes";
import { formatDay, getSite, isWebAddress } from "../../text/webAddresses";
import { CitedRows } from "./CitedRows";
import { CARD_ID, cardStore, placeCard } from "./cardStore";
import { SuggestedCitations } from "./SuggestedCitations";
import { useFetchDate } from "./useFetchDate";
import { useTextPlace } from "./useTextPlace";
import { VerdictIcon } from "./VerdictIcon";
import { formatSource, getVerdict, nameVerdict, selectReasons } from "./verdicts";
import "../../styles/fields.css";

const MAX_QUOTE = 600;
const LEAST_HEIGHT = 80;
const NOWHERE = { page: null, label: "" };

/**
 * The card of the citation that the reader points at: its quote or rows, their place, and the verdict with its reasons.
 */
export function CitationCard() {
  const t = useTranslate();
  const card = useStore(cardStore);
  const box = useRef<HTMLDivElement>(null);
  const cited = card?.citation ?? null;
  const named = cited ? [namePage(t, cited, findLastPage(cited.boxes)), cited.heading].filter(Boolean).join(" · ") : "";
  const place = useTextPlace(named || cited?.path ? null : cited) || named;

  useLayoutEffect(() => {
    const element = box.current;
    if (!card || !element) return;
    element.showPopover();
    const answer = card.chip.closest("[data-answer]");
    const spans = answer?.querySelectorAll(`.sentence[data-sentence="${card.index}"]`) ?? [];
    const lines = [...spans].flatMap((each) => [...each.getClientRects()]);
    // Do not cover the source beside the conversation.
    const width = card.chip.closest(".talk")?.getBoundingClientRect().right ?? innerWidth;
    const window = { width, height: innerHeight };
    element.style.maxHeight = "";
    const size = element.getBoundingClientRect();
    const next = findNextChip(card.chip)?.getBoundingClientRect() ?? null;
    const form = getVerdict(card.sentence);
    const hasNote = form === "contradicted" || form === "unsupported";
    const { left, top, height } = placeCard(card.chip.getBoundingClientRect(), lines, size, window, next, hasNote);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    if (height < size.height) element.style.maxHeight = `${Math.max(height, LEAST_HEIGHT)}px`;
  }, [card]);

  useEffect(() => {
    if (!card) return;
    const pressed = (event: KeyboardEvent) => {
      // A dialog that opened over the card is closed first.
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      cardStore.hide();
    };
    // A source that goes to its words scrolls too; only when the mark moves is the card left behind.
    const scrolled = ({ target }: Event) => {
      if (target instanceof Node && target.contains(card.chip)) cardStore.set(null);
    };
    document.addEventListener("keydown", pressed, { capture: true });
    document.addEventListener("scroll", scrolled, { capture: true });
    addEventListener("resize", cardStore.hide);
    return () => {
      document.removeEventListener("keydown", pressed, { capture: true });
      document.removeEventListener("scroll", scrolled, { capture: true });
      removeEventListener("resize", cardStore.hide);
    };
  }, [card]);

  if (!card) return null;
  const { turn, sentence, citation } = card;
  const form = getVerdict(sentence);
  const reasons = selectReasons(sentence);
  const quote = citation && shortenQuote(citation.path ? citation.quote : tidyQuote(citation.quote));
  const source = formatSource(sentence.source);
  const isTold = [quote ?? "", ...reasons].some((each) => each.replace(/\s+/g, " ").includes(source));
  return (
    <div
      ref={box}
      id={CARD_ID}
      popover="manual"
      role="tooltip"
      className="card"
      data-form={form}
      onPointerEnter={cardStore.keepOpen}
      onPointerLeave={cardStore.hideSoon}
    >
      <div className="card-body">
        {citation && (
          <>
            <p className="card-where">
              <strong>{citation.path ? nameLines(citation) : citation.title}</strong>
              {place && <span> {place}</span>}
              {isWebAddress(citation.url) && <FetchedFrom url={citation.url} document={citation.document} />}
            </p>
            {citation.rows.length ? (
              <CitedRows rows={citation.rows} />
            ) : (
              quote && <blockquote data-code={citation.path ? true : undefined}>{quote}</blockquote>
            )}
          </>
        )}
        <p className="card-verdict">
          {form && <VerdictIcon form={form} />}
          <span>
            {nameVerdict(t, sentence)}
            {sentence.judge && (
              <span className="card-judge"> · {t("conversation.judgedBy", { model: sentence.judge })}</span>
            )}
          </span>
        </p>
        {sentence.computed && <p className="card-computed">{sentence.computed}</p>}
        {reasons.length > 0 && (
          <ul className="card-reasons">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {source && !isTold && (
          <p className="card-source">
            {t("conversation.says")} <q>{source}</q>
          </p>
        )}
        <SuggestedCitations turn={turn} numbers={sentence.suggested} />
      </div>
      <div className="card-acts">
        {canKeep(turn.id) && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              cardStore.hide();
              void keepThing({ kind: "sentence", message: turn.id, sentence: card.index });
            }}
          >
            <Icon name="keep" size={14} /> {t("notebook.keepSentence")}
          </button>
        )}
        {citation && (
          <button type="button" className="plain" onClick={() => void copyText(writeCitation(t, citation), t)}>
            <Icon name="copy" size={14} /> {t("selection.copy")}
          </button>
        )}
      </div>
    </div>
  );
}

/** Write the cited words with their document and page, or with the lines of a file. */
function writeCitation(t: Translate, citation: Citation): string {
  const { path, quote, title, page, label, heading, boxes } = citation;
  // The label of another page is not known here.
  const last = label ? { page, label } : { page: findLastPage(boxes) ?? page, label };
  return path
    ? citeQuote({ text: quote, title: nameLines(citation), ...NOWHERE, last: NOWHERE, heading: "" }, t)
    : citeQuote({ text: tidyQuote(quote), title, page, label, last, heading }, t);
}

function shortenQuote(quote: string): string {
  return quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE)}…` : quote;
}

/** The site of a web page, and the day it was fetched. */
function FetchedFrom({ url, document }: { url: string; document: string }) {
  const t = useTranslate();
  const fetched = useFetchDate(document);
  const day = fetched === null ? "" : t("conversation.asOf", { day: formatDay(fetched, t) });
  return <span className="card-from">{[getSite(url), day].filter(Boolean).join(" · ")}</span>;
}

/** Find the mark after this one in its answer. */
function findNextChip(chip: HTMLElement): HTMLElement | null {
  const chips = [...(chip.closest("[data-answer]")?.querySelectorAll<HTMLElement>(".chip") ?? [])];
  return chips[chips.indexOf(chip) + 1] ?? null;
}
