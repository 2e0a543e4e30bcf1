/** What lies open beside the conversation: one source, and the marks on it. The viewer shows it; answers change it. */
import type { Kind, Placed } from "./api/shapes";
import { store } from "./store";

export type Tone = "pin" | "high" | "medium" | "low";

/** Characters of a document, end exclusive. */
export interface Stretch {
  start: number;
  end: number;
}

/** Something lit in a source. While it is chosen, `passage`, which stands around it, is lit faintly, `heads` of its table thinly. */
export interface Mark {
  key: string;
  document: string;
  title: string;
  kind: Kind | null;
  tone: Tone;
  n: number | null;
  page: number | null;
  /** The number printed on its page, or "slide 2"; "" where it is `page`. */
  label: string;
  start: number | null;
  end: number | null;
  /** Of a mark of several stretches: those after the first, which is from `start` to `end`. */
  further?: Stretch[];
  boxes: Placed[];
  heads?: Placed[];
  quote: string;
  passage: Stretch | null;
}

/** What the viewer shows: a document, and where in it. `turn` changes with every wish, so that the same may be wished twice. */
export interface Desk {
  document: string | null;
  page: number | null;
  chosen: string | null;
  marks: Mark[];
  turn: number;
  isOpen: boolean;
}

const EMPTY: Desk = { document: null, page: null, chosen: null, marks: [], turn: 0, isOpen: false };

export const desk = store<Desk>(EMPTY);

/** Lay these marks on the desk in place of those there; what is open stays open. */
export function lay(marks: Mark[]): void {
  desk.set((now) => ({ ...now, marks }));
}

/** Open a mark: its document, at its place. */
export function choose(mark: Mark): void {
  desk.set((now) => ({
    ...now,
    document: mark.document,
    page: mark.page,
    chosen: mark.key,
    turn: now.turn + 1,
    isOpen: true,
    marks: now.marks.some((each) => each.key === mark.key) ? now.marks : [...now.marks, mark],
  }));
}

/** Open a document, perhaps at a page. */
export function open(document: string, page: number | null = null): void {
  desk.set((now) => ({ ...now, document, page, chosen: null, turn: now.turn + 1, isOpen: true }));
}

/** Put the source away; its marks stay. */
export function close(): void {
  desk.set((now) => ({ ...now, isOpen: false }));
}

/** Clear the desk: another conversation begins. */
export function clear(): void {
  desk.set(EMPTY);
}

/** Choose the next mark (1) or the one before (-1), in the order of the conversation, whatever its document. */
export function step(by: 1 | -1): void {
  const { marks, chosen } = desk.get();
  const place = marks.findIndex((each) => each.key === chosen);
  const mark = place < 0 ? marks.at(by > 0 ? 0 : -1) : marks.at((place + by + marks.length) % marks.length);
  if (mark) choose(mark);
}
