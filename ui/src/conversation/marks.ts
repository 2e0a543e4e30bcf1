/** What an answer lights in the sources. */
import type { Mark } from "../desk";
import { madeCitations } from "./forms";
import type { Turn } from "./turns";

/** The key of a turn's citation on the desk. */
export function markKey(turn: string, n: number): string {
  return `${turn}:${n}`;
}

/** The key of a passage that came nearest without answering: it lies on the desk only while it is looked at. */
export function nearKey(turn: string, { document, start }: { document: string; start: number }): string {
  return `${turn}:near-${document}-${start}`;
}

/** Whether a key is of a passage that came nearest in this turn. */
export function isNear(key: string, turn: string): boolean {
  return key.startsWith(`${turn}:near-`);
}

const made = new WeakMap<Turn, Mark[]>();

/** The marks of one turn: its citations, those only offered last, then what it lit by itself; one list for one turn. */
export function marksOf(turn: Turn): Mark[] {
  const known = made.get(turn);
  if (known) return known;
  const marks = [...cited(turn), ...lit(turn)];
  made.set(turn, marks);
  return marks;
}

function cited(turn: Turn): Mark[] {
  const made = madeCitations(turn);
  const offered = turn.citations.filter((each) => !made.includes(each));
  return [...made, ...offered].map((each) => {
    const passage = turn.evidence.find((evidence) => evidence.n === each.evidence);
    return {
      key: markKey(turn.id, each.n),
      document: each.document,
      title: each.title,
      kind: each.kind,
      tone: "pin",
      n: each.n,
      page: each.page,
      start: each.start,
      end: each.end,
      boxes: each.boxes,
      heads: each.heads,
      quote: each.quote,
      passage: passage ? { start: passage.start, end: passage.end } : null,
    };
  });
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
      start: each.boxes.length ? null : (evidence?.start ?? null),
      end: each.boxes.length ? null : (evidence?.end ?? null),
      boxes: each.boxes,
      quote: evidence?.text ?? "",
      passage: null,
    };
  });
}
