/** The lines of a file, and those that a mark is on. */
import { createCodePointIndex } from "../text/codePoints";
import type { Highlight } from "./highlights";

/** A line without its end. `number` counts from 1; `start` is its first character in the file, in code points. */
export interface CodeLine {
  number: number;
  text: string;
  start: number;
  end: number;
}

/** How a line is marked in the margin: as one that the chosen citation is of, or another one. */
export type LineMark = "chosen" | "other";

const LINE_END = /\r\n|\n|\r/g;

/** Split a text into lines. A line end at the end of the file begins no further line. */
export function splitCodeLines(text: string): CodeLine[] {
  const point = createCodePointIndex(text);
  const lines: CodeLine[] = [];
  const add = (from: number, to: number) =>
    lines.push({ number: lines.length + 1, text: text.slice(from, to), start: point(from), end: point(to) });
  let from = 0;
  for (const { index, 0: sign } of text.matchAll(LINE_END)) {
    add(from, index);
    from = index + sign.length;
  }
  if (from < text.length) add(from, text.length);
  return lines;
}

/** Find the line with a character; its index, or the last one for a character beyond the end. */
export function findLine(lines: readonly CodeLine[], start: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Tell for each line that a citation names how it is marked, by its number. The chosen citation wins. */
export function markLines(lines: readonly CodeLine[], highlights: readonly Highlight[]): Map<number, LineMark> {
  const marked = new Map<number, LineMark>();
  for (const { mark, isChosen, start, end } of highlights) {
    const range = mark && (mark.lines ?? findLines(lines, start, end));
    if (!range) continue;
    for (let number = range[0]; number <= range[1]; number++) {
      if (isChosen || !marked.has(number)) marked.set(number, isChosen ? "chosen" : "other");
    }
  }
  return marked;
}

function findLines(lines: readonly CodeLine[], start: number | null, end: number | null): [number, number] | null {
  if (start === null || end === null || !lines.length) return null;
  return [findLine(lines, start) + 1, findLine(lines, Math.max(start, end - 1)) + 1];
}

/** Return the highlights on a line, without its indentation. The passage around the chosen words is not drawn. */
export function placeOnLine({ text, start: from, end: to }: CodeLine, highlights: readonly Highlight[]): Highlight[] {
  const first = from + (text.length - text.trimStart().length);
  return highlights.flatMap((each) => {
    const { start, end, tone } = each;
    if (start === null || end === null || tone === "passage") return [];
    const begin = Math.max(start, first);
    // The link of a highlight takes the focus on its first line.
    const entry = start >= from ? { entry: begin } : {};
    return begin < Math.min(end, to) ? [{ ...each, start: begin, ...entry }] : [];
  });
}
