/** Make links that open a web page at quoted words (text fragments), by the same rules as the server. */

const MAX_WHOLE = 120; // longer quotes are given by their first and last words
const EDGE_WORDS = 6; // at each end of a longer quote
const MAX_UNBROKEN = 300; // characters of a quote that has too few words
const BLOCKS = /[\p{Cc}\u2028\u2029]+/u;
/** List markers that we write ourselves and that are not on the page. */
const ITEM = /^\s*(?:-|\d{1,9}\.) +/;
const DIRECTIVE = ":~:";

/** Return the link to these words on a page; the page's own address if they cannot be found. */
export function makeFragmentLink(url: string, quote: string): string {
  const found = makeDirective(quote);
  if (!found) return url;
  const [address = "", ...rest] = url.split("#");
  const [place = ""] = rest.join("#").split(DIRECTIVE);
  return `${address}#${place}${DIRECTIVE}text=${found}`;
}

/** Return the value of `text=`: the words, or the first and the last of them; "" if there are none. */
export function makeDirective(quote: string): string {
  const blocks = quote
    .split(BLOCKS)
    .map((block) => splitWords(block.replace(ITEM, "")))
    .filter((words) => words.length);
  const [first = [], last = first] = [blocks.at(0), blocks.at(-1)];
  if (!first.length) return "";
  if (blocks.length === 1) {
    const whole = first.join(" ");
    const length = [...whole].length;
    if (length <= MAX_WHOLE || first.length < 2 * EDGE_WORDS) return length <= MAX_UNBROKEN ? escapeWords(whole) : "";
  }
  const [start, end] = [
    escapeWords(first.slice(0, EDGE_WORDS).join(" ")),
    escapeWords(last.slice(-EDGE_WORDS).join(" ")),
  ];
  return start.length + end.length <= 12 * MAX_UNBROKEN ? `${start},${end}` : "";
}

function splitWords(block: string): string[] {
  return block.split(/\s+/).filter(Boolean);
}

/** Escape words for a fragment, with the characters that separate its parts. */
function escapeWords(words: string): string {
  return encodeURIComponent(words.toWellFormed()).replace(
    /[-!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
