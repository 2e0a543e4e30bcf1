/** Passages that are shown as an answer: what stands before them, and which of their words are lit. */
import type { ShownPassage } from "../api/shapes";
import { pointAt, unitAt } from "../points";
import type { Turn } from "./turns";

/** The first passage's line in the answer's text: its title, in bold. */
const FIRST = /^\*\*/m;

/** A stretch of a passage's words, lit or not; `start` is its place in UTF-16 units. */
export interface Piece {
  text: string;
  isLit: boolean;
  start: number;
}

/** The turn with only the words that stand before its first passage: that something is missing, or that a model failed. */
export function introductionOf(turn: Turn): Turn {
  const found = FIRST.exec(turn.text);
  const end = found ? found.index : turn.text.length;
  const text = turn.text.slice(0, end).trimEnd();
  const points = pointAt(turn.text, text.length);
  return { ...turn, text, sentences: turn.sentences.filter((each) => each && each.end <= points) };
}

/** A passage's words in stretches, each lit or not. */
export function piecesOf({ text, lit }: Pick<ShownPassage, "text" | "lit">): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (end: number, isLit: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isLit, start: at });
    at = Math.max(at, end);
  };
  for (const [from, to] of [...lit].sort((a, b) => a[0] - b[0])) {
    add(unitAt(text, from), false);
    add(unitAt(text, to), true);
  }
  add(text.length, false);
  return pieces;
}

/** The words of a passage that answer, as one line; "" where none are lit. */
export function litWords({
  text,
  lit,
  rows,
  lit_rows,
}: Pick<ShownPassage, "text" | "lit" | "rows" | "lit_rows">): string {
  const cells = lit_rows.map((row) => (rows[row] ?? []).filter((cell) => cell.trim()).join(" · "));
  const words = rows.length ? cells : lit.map(([from, to]) => text.slice(unitAt(text, from), unitAt(text, to)));
  return words.join(" … ").replace(/\s+/g, " ").trim();
}

/** Paragraphs of a passage, or items of its list, each in stretches. */
export interface Paragraph {
  pieces: Piece[];
  start: number;
  isLit: boolean;
  /** It is an item of a list; the sign before it is not among its pieces. */
  isItem: boolean;
}

/** The sign before an item of a list that says nothing itself. */
const BULLET = /^\s*[-*+•‣–]\s+(?=\S)/;

/** The lines of a passage, without those that are blank. */
export function paragraphsOf(passage: Pick<ShownPassage, "text" | "lit">): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let pieces: Piece[] = [];
  const end = () => {
    const [first] = pieces;
    if (first) {
      const [sign = ""] = BULLET.exec(first.text) ?? [];
      const words = [{ ...first, text: first.text.slice(sign.length) }, ...pieces.slice(1)];
      const isLit = pieces.some((each) => each.isLit);
      paragraphs.push({ pieces: words, start: first.start, isLit, isItem: sign !== "" });
    }
    pieces = [];
  };
  for (const { text, isLit, start } of piecesOf(passage)) {
    let at = start;
    for (const [place, line] of text.split("\n").entries()) {
      if (place) end();
      if (line.trim()) pieces.push({ text: line, isLit, start: at });
      at += line.length + 1;
    }
  }
  end();
  return paragraphs;
}

const ROOM = 600; // characters of a passage that are shown at once
const SPARE = 200; // as much more as is shown rather than folded

/** The paragraphs that are shown at first: those that are lit and their neighbours, as many as there is room for. */
export function excerptOf(paragraphs: readonly Paragraph[]): { from: number; to: number } {
  const lengths = paragraphs.map(({ pieces }) => pieces.reduce((sum, { text }) => sum + text.length, 0));
  const all = lengths.reduce((sum, each) => sum + each, 0);
  if (all <= ROOM + SPARE) return { from: 0, to: paragraphs.length };
  const first = Math.max(
    0,
    paragraphs.findIndex(({ isLit }) => isLit),
  );
  let [from, to] = [
    first,
    Math.max(
      first,
      paragraphs.findLastIndex(({ isLit }) => isLit),
    ) + 1,
  ];
  let room = ROOM - lengths.slice(from, to).reduce((sum, each) => sum + each, 0);
  const before = lengths[from - 1] ?? Number.POSITIVE_INFINITY;
  // What stands before tells what it is about; then goes on with what follows.
  if (before <= room) {
    from--;
    room -= before;
  }
  for (let next = lengths[to]; next !== undefined && next <= room; next = lengths[to]) {
    to++;
    room -= next;
  }
  return { from, to };
}

const CODE = /`([^`\n]+)`/;

/** Words of a Markdown document cut where code stands in them; every second part is code. */
export function codeIn(text: string): string[] {
  return text.split(CODE);
}
