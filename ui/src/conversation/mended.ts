/** Markdown that is still being written, closed where it is open, so that no mark shows for a moment and goes again. */

const FENCE = /^ {0,3}(```|~~~)/gm;

/** The text with what its last paragraph leaves open closed: bold, code, a link. */
export function mended(text: string): string {
  if ((text.match(FENCE)?.length ?? 0) % 2) return text;
  const from = text.lastIndexOf("\n\n") + 1;
  return text.slice(0, from) + closed(closed(unlinked(text.slice(from)), "`"), "**");
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

/** The paragraph with the words alone of a link whose address is still being written. */
function unlinked(paragraph: string): string {
  const middle = paragraph.lastIndexOf("](");
  const from = paragraph.lastIndexOf("[", middle);
  if (middle < 0 || from < 0 || /[)\s]/.test(paragraph.slice(middle + 2))) return paragraph;
  const words = paragraph.slice(from + 1, middle);
  if (/[\]\n]/.test(words)) return paragraph;
  return paragraph.slice(0, paragraph[from - 1] === "!" ? from - 1 : from) + words;
}
