import { Fragment, type MouseEvent, useId, useState } from "react";
import type { Sentence, ShownPassage } from "../../api/types";
import { Icon } from "../../components/Icon";
import { type Translate, useTranslate } from "../../i18n";
import { canKeep } from "../../notebook/keepSentence";
import { keepThing } from "../../notebook/keepThing";
import { useSelector } from "../../state/useSelector";
import { isFigure } from "../../text/figures";
import { titleLines } from "../../text/lineNames";
import { namePage } from "../../text/pageNames";
import { openMark, viewerStore } from "../../viewer/viewerStore";
import { CitationChip } from "../citations/CitationChip";
import { findMark, makeMarkKey } from "../citations/citationMarks";
import { useTextPlace } from "../citations/useTextPlace";
import { AnswerText } from "../thread/AnswerText";
import { CodeBlock } from "../thread/CodeBlock";
import type { Turn } from "../turns";
import { PassageCode } from "./PassageCode";
import {
  chooseExcerpt,
  chooseParts,
  chooseRows,
  countPassages,
  isUnderSameHeading,
  listUnanswered,
  splitCode,
  splitParagraphs,
  splitPieces,
  takeIntroduction,
} from "./passageText";

/** The verdict that the chip of a passage shows. */
const QUOTED_SENTENCE: Sentence = {
  ...{ text: "", citations: [], support: "verified", basis: "quote", reasons: [], start: 0, end: 0, checking: false },
  ...{ unsupported: [], source: "", computed: "", judge: "", suggested: [], silent: false },
};

/** An answer without a model: the best passages with their places, and the words that answer highlighted. */
export function PassageList({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const first = turn.passages.filter((each) => !each.more);
  const rest = turn.passages.filter((each) => each.more);
  const introduction = takeIntroduction(turn);
  return (
    <section className="passages" aria-label={t("conversation.passages.title")} data-answer={turn.id}>
      {introduction.text.trim() && (
        <div className={first.length && introduction.sentences.length < 2 ? "passages-begin" : undefined}>
          <AnswerText turn={introduction} />
        </div>
      )}
      <Corrections turn={turn} />
      {groupByDocument(first).map((group, at, all) => (
        <Fragment key={getKey(group)}>
          {group[0]?.part && group[0].part !== all[at - 1]?.[0]?.part && (
            <h3 className="passages-part">{group[0].part}</h3>
          )}
          <PassageGroup turn={turn} group={group} />
        </Fragment>
      ))}
      {listUnanswered(turn).map(({ part, text }) => (
        <Fragment key={part + text}>
          {part && <h3 className="passages-part">{part}</h3>}
          <p>{text}</p>
        </Fragment>
      ))}
      {rest.length > 0 && (
        <>
          <button
            type="button"
            className="plain-button passages-more"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen
              ? t("conversation.passages.fewer")
              : t.count(
                  first.length ? "conversation.passages.more" : "conversation.passages.nearest",
                  countPassages(rest),
                )}
          </button>
          <div id={id} className="passages-rest" hidden={!isOpen}>
            {isOpen &&
              groupByDocument(rest).map((group) => <PassageGroup key={getKey(group)} turn={turn} group={group} />)}
          </div>
        </>
      )}
      {turn.passages.some(({ path }) => path) && <p className="soft small">{t("projects.needsModel")}</p>}
    </section>
  );
}

/** The words of the question that were read as other words. */
function Corrections({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const corrected = turn.answer?.corrected ?? [];
  if (!corrected.length) return null;
  return (
    <p className="soft small passages-read">
      {corrected.map(({ written, read }) => t("conversation.passages.read", { written, read })).join(" ")}
    </p>
  );
}

/** Consecutive passages of one document, under its title. */
function PassageGroup({ turn, group }: { turn: Turn; group: ShownPassage[] }) {
  const [first] = group;
  if (!first) return null;
  return (
    <article className="passage-card">
      <h3 className="passage-title">
        {first.path || first.title || first.name}
        {isAmbiguous(turn, first) && <span className="soft"> {first.name}</span>}
      </h3>
      {groupByNumber(group).map((parts, at, all) => (
        <PassageParts
          key={`${parts[0]?.n} ${parts[0]?.start}`}
          turn={turn}
          parts={parts}
          before={all[at - 1]?.at(-1)}
        />
      ))}
    </article>
  );
}

/** The parts of one passage in the order of its text. Of a long one, those with highlighted words are shown first. */
function PassageParts({
  turn,
  parts,
  before,
}: {
  turn: Turn;
  parts: ShownPassage[];
  before: ShownPassage | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const chosen = chooseParts(parts);
  const shown = isWhole ? parts : chosen;
  return (
    <>
      {shown.map((passage, at) => (
        <PassageBody
          key={`${passage.start} ${passage.form}`}
          turn={turn}
          passage={passage}
          before={shown[at - 1] ?? before}
        />
      ))}
      {chosen.length < parts.length && (
        <div className="passage-rest">
          <WholeButton isWhole={isWhole} onToggle={() => setWhole(!isWhole)} />
        </div>
      )}
    </>
  );
}

/**
 * A passage, or a part of one: a table, code or the text around them. `before` is drawn above it. The parts of a passage
 * have one number, which the first one shows.
 */
function PassageBody({
  turn,
  passage,
  before,
}: {
  turn: Turn;
  passage: ShownPassage;
  before: ShownPassage | undefined;
}) {
  const t = useTranslate();
  const { n, lead, form } = passage;
  const hasNumber = before?.n !== n;
  const goesOn = passage.part_of > 0 && before?.part_of === passage.part_of;
  const place = usePlace(passage);
  const placeBefore = usePlace(goesOn && before ? before : null);
  const isPlaceNew = place !== placeBefore && !(goesOn && before && isUnderSameHeading(passage, before));
  const isChosen = useSelector(viewerStore, ({ chosenKey: chosen }) => chosen === makeMarkKey(turn.id, n));
  const kind = turn.citations.find((each) => each.n === n)?.kind ?? null;
  const open = () => {
    const mark = findMark(turn, n);
    if (mark) openMark(mark);
  };
  const pressed = (event: MouseEvent) => {
    // Selecting words is not a click, and buttons inside have their own action.
    const isInside = event.target instanceof Element && event.target.closest("button, a, pre");
    if (!isInside && getSelection()?.isCollapsed !== false) open();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same
    <div
      className="passage"
      data-form={form}
      data-goes-on={goesOn || undefined}
      data-chosen={isChosen || undefined}
      onClick={pressed}
    >
      <p className="passage-place">
        {isPlaceNew && (
          <button type="button" className="passage-open" onClick={open}>
            {place}
          </button>
        )}
        {hasNumber && <PassageChip turn={turn} n={n} />}
        {hasNumber && canKeep(turn.id) && (
          <button
            type="button"
            className="icon-button small-button passage-keep"
            aria-label={t("notebook.keepPassage")}
            title={t("notebook.keepPassage")}
            onClick={() => void keepThing({ kind: "citation", message: turn.id, citation: n })}
          >
            <Icon name="keep" size={14} />
          </button>
        )}
      </p>
      {lead && <p className="passage-lead">{lead}</p>}
      {form === "table" ? (
        <PassageTable passage={passage} />
      ) : form === "code" ? (
        passage.lines ? (
          <PassageCode passage={passage} />
        ) : (
          <CodeBlock text={passage.text} language="">
            {splitPieces(passage).map(({ text, isLit, start }) => (isLit ? <mark key={start}>{text}</mark> : text))}
          </CodeBlock>
        )
      ) : (
        <PassageText passage={passage} hasCode={kind === "markdown" || kind === "notebook"} />
      )}
    </div>
  );
}

/** The chip of a passage. A passage that is shown on demand is in no sentence of the answer, but is a quote too. */
function PassageChip({ turn, n }: { turn: Turn; n: number }) {
  const index = turn.sentences.findIndex((each) => each?.support && each.citations.includes(n));
  if (!turn.citations.some((each) => each.n === n)) return null;
  return (
    <CitationChip turn={turn} sentence={turn.sentences[index] ?? QUOTED_SENTENCE} index={index} n={n} hasCard={false} />
  );
}

/** The text of a passage with the words that answer highlighted. A long one shows an excerpt first. */
function PassageText({ passage, hasCode }: { passage: ShownPassage; hasCode: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const paragraphs = splitParagraphs(passage);
  const { from, to } = chooseExcerpt(paragraphs);
  const shown = isWhole ? paragraphs : paragraphs.slice(from, to);
  const isCut = shown.length < paragraphs.length;
  const draw = (text: string) => (hasCode ? withIndex(splitCode(text)).map(renderCode) : text);
  return (
    <div className="answer passage-text" data-form={passage.form}>
      {shown.map(({ pieces, start, isItem, isHeading }, place) => {
        const words = pieces.map((piece) =>
          piece.isLit ? (
            <mark key={piece.start}>{draw(piece.text)}</mark>
          ) : (
            <span key={piece.start}>{draw(piece.text)}</span>
          ),
        );
        if (isHeading) return <h4 key={start}>{words}</h4>;
        return (
          <p key={start} data-item={isItem || undefined}>
            {!isWhole && place === 0 && from > 0 && "…\u00a0"}
            {words}
            {!isWhole && place === shown.length - 1 && to < paragraphs.length && "\u00a0…"}
          </p>
        );
      })}
      {(isCut || isWhole) && <WholeButton isWhole={isWhole} onToggle={() => setWhole(!isWhole)} />}
    </div>
  );
}

/** Show all of a passage, or an excerpt again. */
function WholeButton({ isWhole, label, onToggle }: { isWhole: boolean; label?: string; onToggle: () => void }) {
  const t = useTranslate();
  return (
    <button type="button" className="plain-button passage-whole" aria-expanded={isWhole} onClick={onToggle}>
      {isWhole ? t("conversation.passages.part") : (label ?? t("conversation.passages.whole"))}
    </button>
  );
}

function renderCode([at, part]: [number, string]) {
  return at % 2 ? <code key={at}>{part}</code> : part;
}

/** Return whether a cell is one short word with a hyphen, such as LK-188-C, which must not be broken there. */
function isHyphenated(cell: string): boolean {
  return cell.length <= 16 && /^[^\s-]+(?:-[^\s-]+)+$/.test(cell);
}

/** Rows of a table under their headers, with those that answer highlighted. A long one shows the rows around them first. */
function PassageTable({ passage }: { passage: ShownPassage }) {
  const t = useTranslate();
  const { heads, rows, lit_rows } = passage;
  const [isWhole, setWhole] = useState(false);
  const { from, to } = chooseRows(passage);
  const isCut = to - from < rows.length;
  const shown = withIndex(rows).filter(([line]) => isWhole || (line >= from && line < to));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <div className="answer answer-table" tabIndex={0}>
        <table>
          {heads.length > 0 && (
            <thead>
              {withIndex(heads).map(([line, cells]) => (
                <tr key={line}>
                  {withIndex(cells).map(([at, cell]) => (
                    <th
                      key={at}
                      scope="col"
                      data-number={(at > 0 && rows.every((row) => isFigure(row[at] ?? ""))) || undefined}
                    >
                      {cell}
                    </th>
                  ))}
                </tr>
              ))}
            </thead>
          )}
          <tbody>
            {shown.map(([line, cells]) => (
              <tr key={line} data-lit={lit_rows.includes(line) || undefined}>
                {withIndex(cells).map(([at, cell]) =>
                  at === 0 ? (
                    <th key={at} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td
                      key={at}
                      data-number={isFigure(cell) || undefined}
                      data-hyphenated={isHyphenated(cell) || undefined}
                    >
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && (
        <WholeButton
          isWhole={isWhole}
          label={t("conversation.passages.rows", { rows: rows.length })}
          onToggle={() => setWhole(!isWhole)}
        />
      )}
    </>
  );
}

/** Name the place of a passage: its page, slide or lines, and the headings above it; "" if it has none of them. */
function namePlace(t: Translate, passage: ShownPassage): string {
  const above = passage.headings.filter((each) => each.trim()).join(" › ");
  return [namePage(t, passage, passage.last_page), titleLines(t, passage.lines), above].filter(Boolean).join(" · ");
}

/** Return the place of a passage, or where in its text it is; "" without a passage. */
function usePlace(passage: ShownPassage | null): string {
  const t = useTranslate();
  const place = passage ? namePlace(t, passage) : "";
  const textPlace = useTextPlace(place ? null : passage);
  return passage ? place || textPlace || t("conversation.passages.open") : "";
}

/** Return whether another document of the answer has the same title. */
function isAmbiguous(turn: Turn, { document, title, name }: ShownPassage): boolean {
  return name !== "" && turn.passages.some((each) => each.title === title && each.document !== document);
}

function groupByDocument(passages: readonly ShownPassage[]): ShownPassage[][] {
  const groups: ShownPassage[][] = [];
  for (const passage of passages) {
    const last = groups.at(-1);
    if (last?.[0]?.document === passage.document && last[0].part === passage.part) last.push(passage);
    else groups.push([passage]);
  }
  return groups;
}

function groupByNumber(passages: readonly ShownPassage[]): ShownPassage[][] {
  const groups: ShownPassage[][] = [];
  for (const passage of passages) {
    const last = groups.at(-1);
    if (last?.[0]?.n === passage.n) last.push(passage);
    else groups.push([passage]);
  }
  return groups;
}

/** Return a key for a group: a passage may be shown for two parts of the question. */
function getKey(group: readonly ShownPassage[]): string {
  return `${group[0]?.n ?? 0} ${group[0]?.part ?? ""}`;
}

function withIndex<T>(list: readonly T[]): [number, T][] {
  return list.map((each, at) => [at, each]);
}
