/** Markdown that is still being written, closed where it is open, so that no mark shows for a moment and goes again. */

const FENCE = /^ {0,3}(```|~~~)/gm;
const LINK = /!?\[([^\]\n]*)\]\([^)\s]*$/;

/** The text with what its last paragraph leaves open closed: bold, code, a link. */
export function mended(text: string): string {
  if ((text.match(FENCE)?.length ?? 0) % 2) return text;
  const from = text.lastIndexOf("\n\n") + 1;
  return text.slice(0, from) + closed(closed(text.slice(from).replace(LINK, "$1"), "`"), "**");
}

function closed(paragraph: string, mark: string): string {
  // What stands in code is no mark.
  const seen = mark === "`" ? paragraph : paragraph.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  if (seen.split(mark).length % 2) return paragraph;
  const end = paragraph.trimEnd();
  const rest = paragraph.slice(end.length);
  if (end.endsWith(mark) && seen.lastIndexOf(mark) === end.length - mark.length)
    return end.slice(0, -mark.length) + rest;
  return end + mark + rest;
}
