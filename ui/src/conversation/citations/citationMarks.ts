/** The marks of an answer in the sources that the viewer shows. */
import type { Citation, ShownPassage, TableRow } from "../../api/types";
import type { Mark } from "../../viewer/viewerStore";
import { joinLitWords } from "../passages/passageText";
import type { Turn } from "../turns";
import { selectCited } from "./verdicts";

/** Make the key of a turn's citation in the viewer. */
export function makeMarkKey(turn: string, n: number): string {
  return `${turn}:${n}`;
}

/** Make the key of a passage that came near without answering. It has a mark only while it is open. */
export function makeNearKey(turn: string, { document, start }: { document: string; start: number }): string {
  return `${turn}:near-${document}-${start}`;
}

/** Return whether a mark belongs to this turn. */
export function isMarkOf(key: string, turn: string): boolean {
  return key.startsWith(`${turn}:`);
}

const LIT = ":lit-";

/** Return whether a mark is a highlight that an answer asked for, and not a citation. */
export function isHighlightMark({ key }: Mark): boolean {
  return key.includes(LIT);
}

const marksByTurn = new WeakMap<Turn, Mark[]>();

/**
 * List the marks of a turn: its citations, then suggested ones, then its highlights. The same turn gives the same list.
 */
export function listMarks(turn: Turn): Mark[] {
  const known = marksByTurn.get(turn);
  if (known) return known;
  const citations = selectCited(turn);
  const offered = turn.citations.filter((each) => !citations.includes(each));
  const folded = new Set(turn.passages.filter(({ more }) => more).map(({ n }) => n));
  // Passages are stepped through in the order in which they are shown.
  const places = new Map(turn.passages.map(({ n }, place) => [n, place]));
  const shown = [...citations, ...offered]
    .filter(({ n }) => !folded.has(n))
    .sort((a, b) => (places.get(a.n) ?? places.size) - (places.get(b.n) ?? places.size));
  const marks = [...shown.map((each) => makeCitationMark(turn, each)), ...makeHighlightMarks(turn)];
  marksByTurn.set(turn, marks);
  return marks;
}

/** Find the mark of a citation. A passage that is shown on demand has one only once it was opened. */
export function findMark(turn: Turn, n: number): Mark | null {
  const laid = listMarks(turn).find(({ key }) => key === makeMarkKey(turn.id, n));
  const citation = turn.citations.find((each) => each.n === n);
  return laid ?? (citation ? makeCitationMark(turn, citation) : null);
}

function makeCitationMark(turn: Turn, citation: Citation): Mark {
  const { n, document, title, kind, page, label, lines, path, boxes, heads, quote } = citation;
  const evidence = turn.evidence.find((each) => each.n === citation.evidence);
  const shown = turn.passages.find((each) => each.n === n);
  const whole = { start: citation.start, end: citation.end };
  // In a passage that is shown as an answer, only the words that answer are highlighted.
  const [first = whole, ...further] = citation.lit.map(([start, end]) => ({ start, end }));
  const around = evidence ? { start: evidence.start, end: evidence.end } : null;
  return {
    ...{ key: makeMarkKey(turn.id, n), document, title, kind, tone: "pin", n, page, label, boxes, heads },
    ...{ lines, path },
    ...{ ...first, further, quote: (shown && joinLitWords(shown)) || quote, passage: shown ? whole : around },
    rows: shown?.rows.length ? listLitRows(shown) : citation.rows,
  };
}

/** List the rows of a shown table that answer, each under the heads of its columns. */
function listLitRows({ heads, rows, lit_rows }: ShownPassage): TableRow[] {
  const width = Math.max(0, ...heads.map(({ length }) => length));
  const named = Array.from({ length: width }, (_, at) =>
    heads
      .map((row) => row[at] ?? "")
      .join(" ")
      .trim(),
  );
  return lit_rows.flatMap((line) => (rows[line] ? { heads: named, cells: rows[line], note: "" } : []));
}

function makeHighlightMarks(turn: Turn): Mark[] {
  return turn.highlights.flatMap((each, place) => {
    const evidence = turn.evidence.find(({ n }) => n === each.evidence);
    const document = each.document ?? evidence?.document;
    if (!document) return [];
    return {
      key: `${turn.id}${LIT}${place}`,
      document,
      title: evidence?.title ?? "",
      kind: evidence?.kind ?? null,
      tone: each.importance,
      n: null,
      page: each.boxes[0]?.page ?? evidence?.page ?? null,
      label: "",
      start: each.boxes.length ? null : (evidence?.start ?? null),
      end: each.boxes.length ? null : (evidence?.end ?? null),
      boxes: each.boxes,
      quote: evidence?.text ?? "",
      passage: null,
    };
  });
}
