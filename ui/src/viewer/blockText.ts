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
