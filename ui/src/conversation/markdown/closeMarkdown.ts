/** Close the open marks of Markdown that is still being written, so that they do not flash up as text. */

const FENCE = /^ {0,3}(```|~~~)/gm;

/** Close the bold, the code or the link that the last paragraph leaves open. */
export function closeMarkdown(text: string): string {
  if ((text.match(FENCE)?.length ?? 0) % 2) return text;
  const from = text.lastIndexOf("\n\n") + 1;
  return text.slice(0, from) + closeMark(closeMark(dropOpenLink(text.slice(from)), "`"), "**");
}

function closeMark(paragraph: string, mark: string): string {
  // Marks inside code do not count.
  const seen = mark === "`" ? paragraph : paragraph.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  if (seen.split(mark).length % 2) return paragraph;
  const end = paragraph.trimEnd();
  const rest = paragraph.slice(end.length);
  if (end.endsWith(mark) && seen.lastIndexOf(mark) === end.length - mark.length)
    return end.slice(0, -mark.length) + rest;
  return end + mark + rest;
}

/** Replace a link whose address is still being written by its words. */
function dropOpenLink(paragraph: string): string {
  const middle = paragraph.lastIndexOf("](");
  const from = paragraph.lastIndexOf("[", middle);
  if (middle < 0 || from < 0 || /[)\s]/.test(paragraph.slice(middle + 2))) return paragraph;
  const words = paragraph.slice(from + 1, middle);
  if (/[\]\n]/.test(words)) return paragraph;
  return paragraph.slice(0, paragraph[from - 1] === "!" ? from - 1 : from) + words;
}
