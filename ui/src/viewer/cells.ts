/** Tables, lists and code as the server's text has them, cut into what is shown of them. */

/** Words and their first character, counted from the block's first in UTF-16 units. */
export interface Cell {
  text: string;
  at: number;
}

const FENCE = /^\s*[`~]+$/;
const RULE = /^[\s|:+-]+$/;

/** The rows of a table's text; the line that only rules a head off in Markdown is left out. */
export function rows(text: string): Cell[][] {
  const made: Cell[][] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim() && !(line.includes("-") && RULE.test(line))) made.push(cells(line, at));
    at += line.length + 1;
  }
  return made;
}

/** The lines of a text, but blank ones. */
export function lines(text: string): Cell[] {
  const made: Cell[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim()) made.push({ text: line, at });
    at += line.length + 1;
  }
  return made;
}

/** Code without the fences that Markdown puts around it. */
export function unfenced(text: string): Cell {
  const [fence = ""] = /^(`{3,}|~{3,})/.exec(text) ?? [];
  const at = text.indexOf("\n") + 1;
  if (!fence || !at) return { text, at: 0 };
  const inside = text.slice(at).trimEnd();
  const last = inside.lastIndexOf("\n") + 1;
  const isClosed = inside.slice(last).trimStart().startsWith(fence) && FENCE.test(inside.slice(last));
  return { text: isClosed ? inside.slice(0, last).trimEnd() : inside, at };
}

function cells(line: string, at: number): Cell[] {
  const between = line.includes("\t") ? "\t" : line.includes("|") ? "|" : null;
  if (between === null) return [trimmed(line, at)];
  const made: Cell[] = [];
  let from = at;
  for (const text of line.split(between)) {
    made.push(trimmed(text, from));
    from += text.length + 1;
  }
  if (between === "\t") return made;
  const edges = [made.at(0)?.text === "", made.at(-1)?.text === ""];
  return made.slice(edges[0] ? 1 : 0, edges[1] ? -1 : undefined);
}

function trimmed(text: string, at: number): Cell {
  return { text: text.trim(), at: at + (text.length - text.trimStart().length) };
}
