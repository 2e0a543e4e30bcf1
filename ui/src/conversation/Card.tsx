import { useEffect, useLayoutEffect, useRef } from "react";
import { namePage } from "../pageNames";
import { dayOf, isLive, siteOf } from "../sites";
import { useStore } from "../store";
import { useWords } from "../words";
import { CARD, hide, hideSoon, keep, placed, shown } from "./cards";
import { useFetched } from "./fetched";
import { formOf, sourceWords, verdictOf } from "./forms";
import { Offered } from "./Offered";
import { Rows } from "./Rows";
import { Sign } from "./Sign";

const LONGEST = 600;

/** The card of the citation that is looked at: its quote or rows, where they stand, and the verdict with its reasons. */
export function Card() {
  const say = useWords();
  const card = useStore(shown);
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (!card || !element) return;
    element.showPopover();
    const answer = card.chip.closest("[data-answer]");
    const spans = answer?.querySelectorAll(`.sentence[data-sentence="${card.index}"]`) ?? [];
    const lines = [...spans].flatMap((each) => [...each.getClientRects()]);
    // The source beside the conversation stays free.
    const width = card.chip.closest(".talk")?.getBoundingClientRect().right ?? innerWidth;
    const window = { width, height: innerHeight };
    const { left, top } = placed(card.chip.getBoundingClientRect(), lines, element.getBoundingClientRect(), window);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [card]);

  useEffect(() => {
    if (!card) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      hide();
    };
    document.addEventListener("keydown", pressed, { capture: true });
    document.addEventListener("scroll", hide, { capture: true });
    return () => {
      document.removeEventListener("keydown", pressed, { capture: true });
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, [card]);

  if (!card) return null;
  const { turn, sentence, citation } = card;
  const form = formOf(sentence);
  const quote = citation && citation.quote.length > LONGEST ? `${citation.quote.slice(0, LONGEST)}…` : citation?.quote;
  const source = sourceWords(sentence.source);
  return (
    <div
      ref={box}
      id={CARD}
      popover="manual"
      role="tooltip"
      className="card"
      data-form={form}
      onPointerEnter={keep}
      onPointerLeave={hideSoon}
    >
      {citation && (
        <>
          <p className="card-where">
            <strong>{citation.title}</strong>
            {citation.page !== null && <span> {namePage(say, citation)}</span>}
            {isLive(citation.url) && <From url={citation.url} document={citation.document} />}
          </p>
          {citation.rows.length ? <Rows rows={citation.rows} /> : quote && <blockquote>{quote}</blockquote>}
        </>
      )}
      <p className="card-verdict">
        {form && <Sign form={form} />}
        <span>
          {verdictOf(say, sentence)}
          {sentence.judge && (
            <span className="card-judge"> · {say("conversation.judgedBy", { model: sentence.judge })}</span>
          )}
        </span>
      </p>
      {sentence.computed && <p className="card-computed">{sentence.computed}</p>}
      {sentence.reasons.length > 0 && (
        <ul className="card-reasons">
          {sentence.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {source && !quote?.replace(/\s+/g, " ").includes(source) && (
        <p className="card-source">
          {say("conversation.says")} <q>{source}</q>
        </p>
      )}
      <Offered turn={turn} numbers={sentence.suggested} />
    </div>
  );
}

/** Of a page of the web: its site, and the day its copy is of. */
function From({ url, document }: { url: string; document: string }) {
  const say = useWords();
  const fetched = useFetched(document);
  const day = fetched === null ? "" : say("conversation.asOf", { day: dayOf(fetched, say) });
  return <span className="card-from">{[siteOf(url), day].filter(Boolean).join(" · ")}</span>;
}
