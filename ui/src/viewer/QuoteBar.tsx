import { useId, useRef, useState } from "react";
import { CitedRows } from "../conversation/citations/CitedRows";
import { useTranslate } from "../i18n";
import { tidyQuote } from "../text/quotes";
import { useSize } from "./useSize";
import type { Mark } from "./viewerStore";

/** The rows of a table that are shown before the others are asked for. */
const SHOWN_ROWS = 2;

/** The words of the chosen citation above its source. They are known at once, before the page is drawn. */
export function QuoteBar({ mark }: { mark: Mark | null }) {
  const t = useTranslate();
  const quote = mark && (mark.path ? mark.quote : tidyQuote(mark.quote));
  if (!mark || !quote) return null;
  return (
    <section
      className="viewer-quote"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={mark.n === null ? t("viewer.quoted") : t("viewer.quotedIn", { n: mark.n })}
    >
      {mark.rows?.length ? (
        <QuotedRows key={mark.key} rows={mark.rows} />
      ) : (
        <QuotedWords key={mark.key} words={mark.path ? quote : t("viewer.quote", { quote })} isCode={!!mark.path} />
      )}
    </section>
  );
}

/** The first lines of a quote, and a button that shows the others. All words are in the page for a screen reader. */
function QuotedWords({ words, isCode }: { words: string; isCode: boolean }) {
  const id = useId();
  const element = useRef<HTMLParagraphElement & HTMLPreElement>(null);
  const [isWhole, setWhole] = useState(false);
  const { height } = useSize(element);
  const isCut = height > 0 && (element.current?.scrollHeight ?? 0) > height + 1;
  const shown = { id, ref: element, "data-whole": isWhole || undefined };
  return (
    <>
      {isCode ? <pre {...shown}>{words}</pre> : <p {...shown}>{words}</p>}
      {(isCut || isWhole) && <WholeButton id={id} isWhole={isWhole} onToggle={() => setWhole(!isWhole)} />}
    </>
  );
}

/** The first rows of a quote under their heads, and a button that shows the others. */
function QuotedRows({ rows }: { rows: NonNullable<Mark["rows"]> }) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const hasMore = rows.length > SHOWN_ROWS;
  return (
    <>
      <div id={id}>
        <CitedRows rows={isWhole ? rows : rows.slice(0, SHOWN_ROWS)} />
      </div>
      {hasMore && <WholeButton id={id} isWhole={isWhole} onToggle={() => setWhole(!isWhole)} />}
    </>
  );
}

function WholeButton({ id, isWhole, onToggle }: { id: string; isWhole: boolean; onToggle: () => void }) {
  const t = useTranslate();
  return (
    <button type="button" className="plain small" aria-expanded={isWhole} aria-controls={id} onClick={onToggle}>
      {t(isWhole ? "conversation.question.fold" : "conversation.question.whole")}
    </button>
  );
}
