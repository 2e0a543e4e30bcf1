import { Fragment, useMemo } from "react";
import { findMark } from "../conversation/citations/citationMarks";
import { type CitedDocument, describeLines, listCitedDocuments } from "../conversation/citations/citedDocuments";
import { VerdictIcon } from "../conversation/citations/VerdictIcon";
import { getVerdict, nameVerdict } from "../conversation/citations/verdicts";
import { splitPieces } from "../conversation/passages/passageText";
import { AnswerText, PlainMarkdown } from "../conversation/thread/AnswerText";
import type { Turn } from "../conversation/turns";
import { useTranslate } from "../i18n";
import { nameLines } from "../text/lineNames";
import { abbreviatePage, findLastPage, listPages } from "../text/pageNames";
import { openSource } from "../viewer/openSource";
import { findLitWords, makeItemTurn, makePassageMark } from "./itemTurn";
import type { NotebookItem } from "./notebookStore";

/** The words of a kept thing: an answer with its marks, a passage that opens its source, or own words. */
export function ItemText({ item, missing }: { item: NotebookItem; missing: readonly string[] }) {
  const t = useTranslate();
  const isMissing = item.citations.some((each) => missing.includes(each.document));
  return (
    <>
      {item.kind === "text" && <PlainMarkdown text={item.text} isOwn />}
      {item.kind === "passage" && <Passage item={item} isMissing={isMissing} />}
      {(item.kind === "sentence" || item.kind === "answer") && <KeptAnswer item={item} missing={missing} />}
      {isMissing && <p className="kept-note">{t("notebook.missing")}</p>}
      {!isMissing && item.lost.length > 0 && <p className="kept-note">{t("notebook.lost")}</p>}
    </>
  );
}

function KeptAnswer({ item, missing }: { item: NotebookItem; missing: readonly string[] }) {
  const t = useTranslate();
  const turn = useMemo(() => makeItemTurn(item), [item]);
  const [sentence] = item.sentences;
  const form = item.kind === "sentence" && sentence ? getVerdict(sentence) : null;
  // The note below a contradicted sentence tells its verdict already.
  const isTold = form === "contradicted";
  return (
    <>
      <AnswerText turn={turn} />
      {form && sentence && !isTold && (
        <p className="kept-verdict" data-form={form}>
          <VerdictIcon form={form} /> {nameVerdict(t, sentence)}
        </p>
      )}
      <KeptSources turn={turn} missing={missing} />
    </>
  );
}

/** The documents that a kept answer cites, with their pages; each opens at its first citation. */
function KeptSources({ turn, missing }: { turn: Turn; missing: readonly string[] }) {
  const t = useTranslate();
  const open = ({ citations: [first] }: CitedDocument) => {
    const mark = first && findMark(turn, first.n);
    if (mark) openSource(mark);
  };
  if (!turn.citations.length) return null;
  return (
    <p className="kept-sources">
      {listCitedDocuments(turn.citations).map((source) => (
        <button
          key={source.document}
          type="button"
          className="kept-open"
          disabled={missing.includes(source.document)}
          onClick={() => open(source)}
        >
          {source.path
            ? describeLines(source)
            : [source.title, source.name, listPages(t, source.pages)].filter(Boolean).join(", ")}
        </button>
      ))}
    </p>
  );
}

/** The server writes rows of a table as Markdown, with their head. */
const TABLE = /^\|.*\|\n\|(?: --- \|)+\n/;

function Passage({ item, isMissing }: { item: NotebookItem; isMissing: boolean }) {
  const t = useTranslate();
  const pin = item.citations[0];
  const open = () => {
    const mark = makePassageMark(item);
    if (mark) openSource(mark);
  };
  const place = pin
    ? pin.path
      ? nameLines(pin)
      : [pin.title, abbreviatePage(t, pin, findLastPage(pin.boxes)), pin.heading].filter(Boolean).join(", ")
    : "";
  return (
    <figure className="kept-passage">
      {TABLE.test(item.text) ? (
        <PlainMarkdown text={item.text} isOwn />
      ) : (
        <blockquote data-code={pin?.path ? true : undefined}>
          {splitPieces({ text: item.text, lit: findLitWords(item) }).map(({ text, isLit, start }) =>
            isLit ? <mark key={start}>{text}</mark> : <Fragment key={start}>{text}</Fragment>,
          )}
        </blockquote>
      )}
      <figcaption>
        <button type="button" className="kept-open" disabled={isMissing} onClick={open}>
          {place || t("notebook.source")}
        </button>
      </figcaption>
    </figure>
  );
}
