/** Split the text of tables, lists and code blocks into the parts that are shown. */

/** A text and its position in the block, in UTF-16 units. */
export interface Cell {
  text: string;
  at: number;
}

const FENCE = /^\s*[`~]+$/;
const RULE = /^[\s|:+-]+$/;

/** Split the text of a table into rows, without the rule below a Markdown header. */
export function splitRows(text: string): Cell[][] {
  const made: Cell[][] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim() && !(line.includes("-") && RULE.test(line))) made.push(splitCells(line, at));
    at += line.length + 1;
  }
  return made;
}

/** Split a text into lines, without blank ones. */
export function splitLines(text: string): Cell[] {
  const made: Cell[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim()) made.push({ text: line, at });
    at += line.length + 1;
  }
  return made;
}

/** A line that is shorter than this share of the longest one ended on purpose, as in an address or a poem. */
const SHORT_LINE = 0.5;
/** The server puts these characters without width where a line end broke a word. */
const BROKEN_WORD = /\u2060+/;

/**
 * Split a paragraph of a printed page into the lines that its author ended. The other line ends only follow the width of
 * the page, and stay in the texts.
 */
export function splitEndedLines(text: string): Cell[] {
  const lines = splitLines(text);
  const widths = lines.map((line) => line.text.split(BROKEN_WORD).map((part) => part.trim().length));
  const longest = Math.max(0, ...widths.flat());
  return joinLines(text, lines, (place) => (widths[place]?.at(-1) ?? 0) < longest * SHORT_LINE);
}

/** Join each line with the next one, unless it is ended. */
function joinLines(text: string, lines: readonly Cell[], isEnded: (place: number) => boolean): Cell[] {
  const made: Cell[] = [];
  let from = 0;
  for (const [place, line] of lines.entries()) {
    const isLast = place === lines.length - 1;
    if (!isLast && !isEnded(place)) continue;
    const end = isLast ? text.length : line.at + line.text.length;
    made.push({ text: text.slice(from, end), at: from });
    from = end + 1;
  }
  return made;
}

/** A text file whose lines are all shorter than this is not wrapped: they are verses, or an address. */
const WRAPPED_WIDTH = 50;
/** A line with fewer words is a row of data rather than prose. */
const WRAPPED_WORDS = 5;
/** A line reaches the margin if the first word of the next one would end behind this share of the longest line. */
const FULL_LINE = 0.85;

/**
 * Split a paragraph of a text file into the lines that its author ended; null if a margin did not end most of the lines.
 */
export function splitWrappedLines(text: string): Cell[] | null {
  const lines = splitLines(text);
  const longest = Math.max(...lines.map((line) => line.text.trimEnd().length));
  const isEnded = lines.slice(0, -1).map((line, place) => {
    const [words, next] = [line.text.trim().split(/\s+/), lines[place + 1]?.text ?? ""];
    const [first = ""] = next.trim().split(/\s+/, 1);
    const isFull = line.text.trimEnd().length + 1 + first.length > longest * FULL_LINE;
    return !isFull || words.length < WRAPPED_WORDS || hasListSign(next);
  });
  const isWrapped =
    longest >= WRAPPED_WIDTH && isEnded.filter((each) => !each).length * 2 >= Math.max(1, isEnded.length);
  return isWrapped ? joinLines(text, lines, (place) => isEnded[place] === true) : null;
}

/** Words with a wide space or a tab between them, not only the space behind a sentence; or the frame of a table. */
const COLUMNS = /[^\s.!?:;] {2,}\S|\S {3,}\S|\S\t+\S|^\s*[|+│├└┌]/;

/** Return whether spaces give a paragraph of a text file its shape: it is a table or code. */
export function hasShape(text: string): boolean {
  const lines = splitLines(text).map((line) => line.text);
  if (lines.length < 2) return false;
  if (lines.filter((line) => COLUMNS.test(line)).length * 2 >= lines.length) return true;
  return lines.some((line) => /^(?: {2}|\t)/.test(line)) && !splitWrappedLines(text);
}

/** Remove the Markdown fences around code. */
export function stripFences(text: string): Cell {
  const [fence = ""] = /^(`{3,}|~{3,})/.exec(text) ?? [];
  const at = text.indexOf("\n") + 1;
  if (!fence || !at) return { text, at: 0 };
  const inside = text.slice(at).trimEnd();
  const last = inside.lastIndexOf("\n") + 1;
  const isClosed = inside.slice(last).trimStart().startsWith(fence) && FENCE.test(inside.slice(last));
  return { text: isClosed ? inside.slice(0, last).trimEnd() : inside, at };
}

function splitCells(line: string, at: number): Cell[] {
  const between = line.includes("\t") ? "\t" : line.includes("|") ? "|" : null;
  if (between === null) return [trimCell(line, at)];
  const made: Cell[] = [];
  let from = at;
  for (const text of line.split(between)) {
    made.push(trimCell(text, from));
    from += text.length + 1;
  }
  if (between === "\t") return made;
  const edges = [made.at(0)?.text === "", made.at(-1)?.text === ""];
  return made.slice(edges[0] ? 1 : 0, edges[1] ? -1 : undefined);
}

function trimCell(text: string, at: number): Cell {
  return { text: text.trim(), at: at + (text.length - text.trimStart().length) };
}

/** A line and the number of its first characters that are a sign of Markdown, which is not shown: "- ", "> ", "## ". */
export interface SignedLine extends Cell {
  sign: number;
}

/** An item of a list: its lines, its depth from 0, and whether a number stands before it, which is shown. */
export interface ListItem {
  lines: SignedLine[];
  depth: number;
  isNumbered: boolean;
}

const BULLET = /^([ \t]*)[-*+•◦▪‣·][ \t]+(?=\S)/;
const NUMBERED = /^([ \t]*)\d{1,4}[.)][ \t]+(?=\S)/;
const QUOTED = /^[ \t]*>[ \t]?/;
const HEADING = /^(#{1,6})[ \t]+(?=\S)/;
const MAX_DEPTH = 5;

/**
 * Split the text of a list into its items. A line without a sign belongs to the item before it; if the text `flows`, it
 * goes on in the line above.
 */
export function splitItems(text: string, flows = false): ListItem[] {
  const items: ListItem[] = [];
  for (const line of splitLines(text)) {
    const [bullet, numbered] = [BULLET.exec(line.text), NUMBERED.exec(line.text)];
    const above = items.at(-1)?.lines;
    const last = above?.at(-1);
    if (last && !bullet && !numbered) {
      const isNext = last.at + last.text.length + 1 === line.at;
      if (flows && isNext) last.text = text.slice(last.at, line.at + line.text.length);
      else above?.push({ ...line, sign: line.text.length - line.text.trimStart().length });
      continue;
    }
    const indent = (bullet ?? numbered)?.[1] ?? "";
    const depth = Math.min(MAX_DEPTH, Math.floor(indent.replaceAll("\t", "    ").length / 2));
    const sign = bullet?.[0].length ?? indent.length;
    items.push({ lines: [{ ...line, sign }], depth, isNumbered: !bullet });
  }
  return items;
}

/** Split a quoted text into lines without their ">"; null if it is none. A text such as "> 5 %" is a comparison. */
export function splitQuote(text: string): SignedLine[] | null {
  const lines = splitLines(text);
  const isQuote = lines.length > 0 && lines.every((line) => QUOTED.test(line.text));
  if (!isQuote || (lines.length === 1 && /^\s*>\s*[\d=]/.test(text))) return null;
  return lines.map((line) => ({ ...line, sign: QUOTED.exec(line.text)?.[0].length ?? 0 }));
}

/** Return the level of a line that is a heading of Markdown and the length of its sign; null if it is none. */
export function parseHeading(text: string): { level: number; sign: number } | null {
  const found = text.includes("\n") ? null : HEADING.exec(text);
  return found ? { level: found[1]?.length ?? 1, sign: found[0].length } : null;
}

/** Return whether a paragraph is a list: its first line has a sign, and each other one has one or is indented. */
export function isListText(text: string): boolean {
  const lines = splitLines(text).map((line) => line.text);
  const signed = lines.filter(hasListSign).length;
  if (!lines[0] || !hasListSign(lines[0]) || !lines.every((line) => hasListSign(line) || /^[ \t]/.test(line))) {
    return false;
  }
  return BULLET.test(lines[0]) || signed > 1;
}

function hasListSign(line: string): boolean {
  return BULLET.test(line) || NUMBERED.test(line);
}
