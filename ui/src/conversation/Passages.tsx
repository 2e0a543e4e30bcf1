import { type MouseEvent, useId, useState } from "react";
import type { Sentence, ShownPassage } from "../api/shapes";
import { choose, desk } from "../desk";
import { namePage } from "../pageNames";
import { type Say, useWords } from "../words";
import { Chip } from "./Chip";
import { Code } from "./Code";
import { markKey, markOf } from "./marks";
import { Prose } from "./Prose";
import { codeIn, excerptOf, introductionOf, paragraphsOf } from "./passages";
import { usePicked } from "./picked";
import type { Turn } from "./turns";

/** What the chip of a passage says of it. */
const QUOTED: Sentence = {
  ...{ text: "", citations: [], support: "verified", basis: "quote", reasons: [], start: 0, end: 0, checking: false },
  ...{ unsupported: [], source: "", computed: "", judge: "", suggested: [], silent: false },
};

/** An answer without a model: the best passages, each with its place, whole, and the part that answers lit. */
export function Passages({ turn }: { turn: Turn }) {
  const say = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const first = turn.passages.filter((each) => !each.more);
  const rest = turn.passages.filter((each) => each.more);
  const introduction = introductionOf(turn);
  return (
    <section className="passages" aria-label={say("conversation.passages.title")} data-answer={turn.id}>
      {introduction.text.trim() && (
        <div className={first.length && introduction.sentences.length < 2 ? "passages-begin" : undefined}>
          <Prose turn={introduction} />
        </div>
      )}
      <Corrections turn={turn} />
      {groupsOf(first).map((group) => (
        <PassageGroup key={keyOf(group)} turn={turn} group={group} />
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
              ? say("conversation.passages.fewer")
              : say.count(first.length ? "conversation.passages.more" : "conversation.passages.nearest", rest.length)}
          </button>
          <div id={id} className="passages-rest" hidden={!isOpen}>
            {isOpen && groupsOf(rest).map((group) => <PassageGroup key={keyOf(group)} turn={turn} group={group} />)}
          </div>
        </>
      )}
    </section>
  );
}

/** The words of the question that were read as others. */
function Corrections({ turn }: { turn: Turn }) {
  const say = useWords();
  const corrected = turn.answer?.corrected ?? [];
  if (!corrected.length) return null;
  return (
    <p className="soft small passages-read">
      {corrected.map(({ written, read }) => say("conversation.passages.read", { written, read })).join(" ")}
    </p>
  );
}

/** Passages of one document that follow one another, under its title. */
function PassageGroup({ turn, group }: { turn: Turn; group: ShownPassage[] }) {
  const [first] = group;
  if (!first) return null;
  return (
    <article className="passage-card">
      <h3 className="passage-title">
        {first.title || first.name}
        {isAmbiguous(turn, first) && <span className="soft"> {first.name}</span>}
      </h3>
      {group.map((passage) => (
        <PassageBody key={passage.n} turn={turn} passage={passage} />
      ))}
    </article>
  );
}

function PassageBody({ turn, passage }: { turn: Turn; passage: ShownPassage }) {
  const say = useWords();
  const { n, lead, form } = passage;
  const isChosen = usePicked(desk, ({ chosen }) => chosen === markKey(turn.id, n));
  const kind = turn.citations.find((each) => each.n === n)?.kind ?? null;
  const open = () => {
    const mark = markOf(turn, n);
    if (mark) choose(mark);
  };
  const pressed = (event: MouseEvent) => {
    // Words that are being selected are not pressed, and what is pressed inside has its own act.
    const isInside = event.target instanceof Element && event.target.closest("button, a, pre");
    if (!isInside && getSelection()?.isCollapsed !== false) open();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same
    <div className="passage" data-form={form} data-chosen={isChosen || undefined} onClick={pressed}>
      <p className="passage-place">
        <button type="button" className="passage-open" onClick={open}>
          {placeOf(say, passage)}
        </button>
        <PassageChip turn={turn} n={n} />
      </p>
      {lead && <p className="passage-lead">{lead}</p>}
      {form === "table" ? (
        <PassageTable passage={passage} />
      ) : form === "code" ? (
        <Code text={passage.text} language="" />
      ) : (
        <PassageText passage={passage} hasCode={kind === "markdown" || kind === "notebook"} />
      )}
    </div>
  );
}

/** The number of a passage; one that is shown on demand stands in no sentence of the answer, and is quoted all the same. */
function PassageChip({ turn, n }: { turn: Turn; n: number }) {
  const index = turn.sentences.findIndex((each) => each?.support && each.citations.includes(n));
  if (!turn.citations.some((each) => each.n === n)) return null;
  return <Chip turn={turn} sentence={turn.sentences[index] ?? QUOTED} index={index} n={n} hasCard={false} />;
}

/** The words of a passage, what answers lit; of a long one at first what stands around that. */
function PassageText({ passage, hasCode }: { passage: ShownPassage; hasCode: boolean }) {
  const say = useWords();
  const [isWhole, setWhole] = useState(false);
  const paragraphs = paragraphsOf(passage);
  const { from, to } = excerptOf(paragraphs);
  const shown = isWhole ? paragraphs : paragraphs.slice(from, to);
  const isCut = shown.length < paragraphs.length;
  const draw = (text: string) => (hasCode ? numbered(codeIn(text)).map(drawCode) : text);
  return (
    <div className="answer passage-text" data-form={passage.form}>
      {shown.map(({ pieces, start, isItem }, place) => (
        <p key={start} data-item={isItem || undefined}>
          {!isWhole && place === 0 && from > 0 && "… "}
          {pieces.map((piece) =>
            piece.isLit ? (
              <mark key={piece.start}>{draw(piece.text)}</mark>
            ) : (
              <span key={piece.start}>{draw(piece.text)}</span>
            ),
          )}
          {!isWhole && place === shown.length - 1 && to < paragraphs.length && " …"}
        </p>
      ))}
      {(isCut || isWhole) && (
        <button
          type="button"
          className="plain-button passage-whole"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {say(isWhole ? "conversation.passages.part" : "conversation.passages.whole")}
        </button>
      )}
    </div>
  );
}

function drawCode([at, part]: [number, string]) {
  return at % 2 ? <code key={at}>{part}</code> : part;
}

/** Rows of a table under their heads, those that answer lit. */
function PassageTable({ passage }: { passage: ShownPassage }) {
  const { heads, rows, lit_rows } = passage;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className="answer answer-table" tabIndex={0}>
      <table>
        {heads.length > 0 && (
          <thead>
            {numbered(heads).map(([line, cells]) => (
              <tr key={line}>
                {numbered(cells).map(([at, cell]) => (
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
          {numbered(rows).map(([line, cells]) => (
            <tr key={line} data-lit={lit_rows.includes(line) || undefined}>
              {numbered(cells).map(([at, cell]) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at} data-number={isFigure(cell) || undefined}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where a passage stands, in words: its page or slide, and the headings above it. */
function placeOf(say: Say, passage: ShownPassage): string {
  const above = passage.headings.filter((each) => each.trim()).join(" › ");
  return (
    [namePage(say, passage, passage.last_page), above].filter(Boolean).join(" · ") || say("conversation.passages.open")
  );
}

/** Whether another document of the answer has the same title. */
function isAmbiguous(turn: Turn, { document, title, name }: ShownPassage): boolean {
  return name !== "" && turn.passages.some((each) => each.title === title && each.document !== document);
}

function groupsOf(passages: readonly ShownPassage[]): ShownPassage[][] {
  const groups: ShownPassage[][] = [];
  for (const passage of passages) {
    const last = groups.at(-1);
    if (last?.[0]?.document === passage.document) last.push(passage);
    else groups.push([passage]);
  }
  return groups;
}

/** Whether a cell holds a number, or nothing: its column is aligned on the right. */
function isFigure(cell: string): boolean {
  return /^[^\p{L}]*$/u.test(cell);
}

function keyOf(group: readonly ShownPassage[]): number {
  return group[0]?.n ?? 0;
}

function numbered<T>(list: readonly T[]): [number, T][] {
  return list.map((each, at) => [at, each]);
}
