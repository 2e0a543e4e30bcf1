/** The text of passages that are shown as an answer: their introduction, paragraphs and highlighted words. */
import type { ShownPassage } from "../../api/types";
import { toCodePointIndex, toUtf16Index } from "../../text/codePoints";
import { tidyQuote } from "../../text/quotes";
import type { Turn } from "../turns";

/** The line of the first passage in the answer's text: its title in bold. */
const FIRST_PASSAGE = /^\*\*/m;

/** Count passages by their numbers: the parts of one passage have the same. */
export function countPassages(parts: readonly Pick<ShownPassage, "n">[]): number {
  return new Set(parts.map(({ n }) => n)).size;
}

/** A part of a passage's text, highlighted or not. `start` is its position in UTF-16 units. */
export interface Piece {
  text: string;
  isLit: boolean;
  start: number;
}

/** Return the turn with only the text before its first passage: a warning, or that a model failed. */
export function takeIntroduction(turn: Turn): Turn {
  const found = FIRST_PASSAGE.exec(turn.text);
  const end = found ? found.index : turn.text.length;
  const text = turn.text.slice(0, end).trimEnd();
  const points = toCodePointIndex(turn.text, text.length);
  return { ...turn, text, sentences: turn.sentences.filter((each) => each && each.end <= points) };
}

/** A part of a question that no source answers: its heading, and the sentence that says so. */
export interface UnansweredPart {
  part: string;
  text: string;
}

/** List the parts of a question that no source answers, except what the introduction says. */
export function listUnanswered(turn: Turn): UnansweredPart[] {
  const before = takeIntroduction(turn).sentences.length;
  return turn.sentences.slice(before).flatMap((sentence, at, all) => {
    if (!sentence?.silent) return [];
    const heading = /^\*\*(.+)\*\*$/.exec(all[at - 1]?.text.trim() ?? "");
    return [{ part: heading?.[1] ?? "", text: sentence.text.trim() }];
  });
}

/** Split a passage into highlighted and other parts. */
export function splitPieces({ text, lit }: Pick<ShownPassage, "text" | "lit">): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (end: number, isLit: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isLit, start: at });
    at = Math.max(at, end);
  };
  for (const [from, to] of [...lit].sort((a, b) => a[0] - b[0])) {
    add(toUtf16Index(text, from), false);
    add(toUtf16Index(text, to), true);
  }
  add(text.length, false);
  return pieces;
}

/** Join the highlighted words of a passage on one line; "" if there are none. */
export function joinLitWords({
  text,
  lit,
  rows,
  lit_rows,
  form,
}: Pick<ShownPassage, "text" | "lit" | "rows" | "lit_rows"> & Partial<Pick<ShownPassage, "form">>): string {
  const cells = lit_rows.map((row) => (rows[row] ?? []).filter((cell) => cell.trim()).join(" · "));
  const words = rows.length
    ? cells
    : lit.map(([from, to]) => text.slice(toUtf16Index(text, from), toUtf16Index(text, to)));
  return words
    .map((each) => (form === "code" || rows.length ? each : tidyQuote(each)))
    .join(" … ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A paragraph of a passage, or an item of a list in it. */
export interface Paragraph {
  pieces: Piece[];
  start: number;
  isLit: boolean;
  /** It is an item of a list. Its bullet is not in the pieces. */
  isItem: boolean;
  isHeading: boolean;
}

/** The bullet of a list item. */
const BULLET = /^\s*[-*+•‣–]\s+(?=\S)/;

/** Split a passage into paragraphs and headings, without blank lines. */
export function splitParagraphs(
  passage: Pick<ShownPassage, "text" | "lit"> & Partial<Pick<ShownPassage, "inner_headings">>,
): Paragraph[] {
  const headings = new Set((passage.inner_headings ?? []).map(([start]) => toUtf16Index(passage.text, start)));
  const paragraphs: Paragraph[] = [];
  let pieces: Piece[] = [];
  const end = () => {
    const [first] = pieces;
    if (first) {
      const [sign = ""] = BULLET.exec(first.text) ?? [];
      const words = [{ ...first, text: first.text.slice(sign.length) }, ...pieces.slice(1)];
      const isLit = pieces.some((each) => each.isLit);
      const isHeading = headings.has(first.start);
      paragraphs.push({ pieces: words, start: first.start, isLit, isItem: sign !== "", isHeading });
    }
    pieces = [];
  };
  for (const { text, isLit, start } of splitPieces(passage)) {
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

const EXCERPT_LENGTH = 600; // characters of a passage that are shown at first
const EXCERPT_TOLERANCE = 200; // this many more are shown rather than folded

/** Choose the paragraphs that are shown at first: the highlighted ones and as many neighbours as fit. */
export function chooseExcerpt(paragraphs: readonly Paragraph[]): { from: number; to: number } {
  const lengths = paragraphs.map(({ pieces }) => pieces.reduce((sum, { text }) => sum + text.length, 0));
  const all = lengths.reduce((sum, each) => sum + each, 0);
  if (all <= EXCERPT_LENGTH + EXCERPT_TOLERANCE) return { from: 0, to: paragraphs.length };
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
  let room = EXCERPT_LENGTH - lengths.slice(from, to).reduce((sum, each) => sum + each, 0);
  const before = lengths[from - 1] ?? Number.POSITIVE_INFINITY;
  // First the paragraph before, which gives the context, then those that follow.
  if (before <= room) {
    from--;
    room -= before;
  }
  for (let next = lengths[to]; next !== undefined && next <= room; next = lengths[to]) {
    to++;
    room -= next;
  }
  // A heading is shown with what stands under it.
  while (to - 1 > first && paragraphs[to - 1]?.isHeading) to--;
  while (paragraphs[from - 1]?.isHeading) from--;
  return { from, to };
}

const LINE_LENGTH = 75; // characters of text that take as much room as a row of a table

/** Choose the parts of a passage that are shown at first: of a long one, those with something highlighted. */
export function chooseParts(parts: ShownPassage[]): ShownPassage[] {
  const lit = parts.filter((part) => part.lit.length || part.lit_rows.length);
  const room = parts.reduce((sum, part) => sum + Math.max(part.text.length, LINE_LENGTH * part.rows.length), 0);
  return lit.length && room > EXCERPT_LENGTH + EXCERPT_TOLERANCE ? lit : parts;
}

/** Return whether a part of a passage has its heading in its text, or the part before it ends under it. */
export function isUnderSameHeading(part: ShownPassage, before: ShownPassage): boolean {
  const heading = part.headings.at(-1);
  const last = listInnerHeadings(before).at(-1) ?? before.headings.at(-1);
  return heading !== undefined && [last, ...listInnerHeadings(part)].includes(heading);
}

function listInnerHeadings({ text, inner_headings }: ShownPassage): string[] {
  return (inner_headings ?? []).map(([from, to]) => text.slice(toUtf16Index(text, from), toUtf16Index(text, to)));
}

const EXCERPT_ROWS = 8;
const ROWS_TOLERANCE = 2; // this many more are shown rather than folded

/** Choose the rows of a table that are shown at first: all that are highlighted, and as many before them as after them. */
export function chooseRows({ rows, lit_rows }: Pick<ShownPassage, "rows" | "lit_rows">): { from: number; to: number } {
  if (rows.length <= EXCERPT_ROWS + ROWS_TOLERANCE) return { from: 0, to: rows.length };
  const lit = lit_rows.length ? lit_rows : [0];
  const [first, last] = [Math.min(...lit), Math.max(...lit) + 1];
  const room = Math.max(EXCERPT_ROWS - (last - first), 0);
  const from = room ? Math.max(Math.min(first - Math.floor(room / 2), rows.length - EXCERPT_ROWS), 0) : first;
  return { from, to: Math.max(last, from + EXCERPT_ROWS) };
}

const CODE = /`([^`\n]+)`/;

/** Split the text of a Markdown document at its code; every second part is code. */
export function splitCode(text: string): string[] {
  return text.split(CODE);
}
