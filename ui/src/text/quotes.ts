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
