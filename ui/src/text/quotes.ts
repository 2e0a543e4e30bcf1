/** Quotes of sources as people read them on one line. */

/** The sign of an item, a quotation or a heading; before a figure it may be a minus or "more than". */
const SIGN = /^\s*(?:(?:[-*•]|>)\s+(?=[^\s\d])|#{2,6}\s+(?=\S))/;
const RULE = /^\s*\|?\s*:?-{2,}[-:|\s]*$/;

/** Write a quote on one line, without the signs of lists, headings and tables in Markdown. */
export function tidyQuote(quote: string): string {
  return quote
    .split("\n")
    .filter((line) => !RULE.test(line))
    .map((line) => (isRow(line) ? joinCells(line) : line.replace(SIGN, "")))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

function isRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line);
}

function joinCells(line: string): string {
  const cells = line.split("|").map((cell) => cell.trim());
  return cells.filter((cell) => cell && !RULE.test(cell)).join(" · ");
}

/** A line of a table's rules within a text whose lines were joined. */
const JOINED_RULES = /\|(?:\s*:?-{2,}:?\s*\|)+/g;

/** Cells, the end of a row before the next, or a row at the beginning. A lone sign may be one of logic. */
const ROW = /\s\|\s[^|]+\s\|\s|\|\s+\||^…?\s*\|/;

/** Write an excerpt of Markdown, whose lines were joined and which may be cut anywhere, as plain words. */
export function tidyExcerpt(excerpt: string): string {
  const words = excerpt.replace(/\*\*|__/g, "").replace(/(^|\s)#{1,6}\s+/g, "$1");
  if (!ROW.test(words)) return words;
  return joinCells(words.replace(JOINED_RULES, "|"));
}

/** A heading of a printed page may have so many lines. */
const HEADING_LINES = 4;

/** Return a text without the headings at its beginning that stand beside it already. */
export function dropHeadings(text: string, headings: readonly string[]): string {
  const known = new Set(headings.map(tidyHeading));
  let lines = text.split("\n").filter((line) => line.trim());
  for (let n = 1; n <= HEADING_LINES && n < lines.length; n++) {
    if (!known.has(tidyHeading(lines.slice(0, n).join(" ")))) continue;
    lines = lines.slice(n);
    n = 0;
  }
  return lines.join("\n");
}

function tidyHeading(heading: string): string {
  return heading
    .replace(/^\s*#{1,6}\s+/, "")
    .replace(/[\u00ad\u2060]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
