/** What an answer lights in the sources. */
import type { Citation } from "../api/shapes";
import type { Mark } from "../desk";
import { madeCitations } from "./forms";
import { litWords } from "./passages";
import type { Turn } from "./turns";

/** The key of a turn's citation on the desk. */
export function markKey(turn: string, n: number): string {
  return `${turn}:${n}`;
}

/** The key of a passage that came nearest without answering: it lies on the desk only while it is looked at. */
export function nearKey(turn: string, { document, start }: { document: string; start: number }): string {
  return `${turn}:near-${document}-${start}`;
}

/** Whether a key is of something that this turn lights. */
export function isMarkOf(key: string, turn: string): boolean {
  return key.startsWith(`${turn}:`);
}

const made = new WeakMap<Turn, Mark[]>();

/** The marks of one turn: its citations, those only offered last, then what it lit by itself; one list for one turn. */
export function marksOf(turn: Turn): Mark[] {
  const known = made.get(turn);
  if (known) return known;
  const citations = madeCitations(turn);
  const offered = turn.citations.filter((each) => !citations.includes(each));
  const folded = new Set(turn.passages.filter(({ more }) => more).map(({ n }) => n));
  const shown = [...citations, ...offered].filter(({ n }) => !folded.has(n));
  const marks = [...shown.map((each) => cited(turn, each)), ...lit(turn)];
  made.set(turn, marks);
  return marks;
}

/** The mark of a citation; that of a passage which is shown on demand lies on the desk only once it was looked at. */
export function markOf(turn: Turn, n: number): Mark | null {
  const laid = marksOf(turn).find(({ key }) => key === markKey(turn.id, n));
  const citation = turn.citations.find((each) => each.n === n);
  return laid ?? (citation ? cited(turn, citation) : null);
}

function cited(turn: Turn, citation: Citation): Mark {
  const { n, document, title, kind, page, label, boxes, heads, quote } = citation;
  const evidence = turn.evidence.find((each) => each.n === citation.evidence);
  const shown = turn.passages.find((each) => each.n === n);
  const whole = { start: citation.start, end: citation.end };
  // Of a passage that is shown as an answer, what answers is lit, within the passage.
  const [first = whole, ...further] = citation.lit.map(([start, end]) => ({ start, end }));
  const around = evidence ? { start: evidence.start, end: evidence.end } : null;
  return {
    ...{ key: markKey(turn.id, n), document, title, kind, tone: "pin", n, page, label, boxes, heads },
    ...{ ...first, further, quote: (shown && litWords(shown)) || quote, passage: shown ? whole : around },
  };
}

function lit(turn: Turn): Mark[] {
  return turn.highlights.flatMap((each, place) => {
    const evidence = turn.evidence.find(({ n }) => n === each.evidence);
    const document = each.document ?? evidence?.document;
    if (!document) return [];
    return {
      key: `${turn.id}:lit-${place}`,
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
