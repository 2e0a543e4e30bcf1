/** A page's address and words on it to a link that opens the page at these words: a text fragment, as the server makes it. */

const LONGEST = 120; // characters that are given whole
const WORDS = 6; // of each end, of what is longer
const MOST = 300; // characters without spaces that are still given
const BLOCKS = /[\p{Cc}\u2028\u2029]+/u;
/** The marks that we write before the items of a list do not stand on the page. */
const ITEM = /^\s*(?:-|\d{1,9}\.) +/;
const DIRECTIVE = ":~:";

/** The address that leads to these words on a page; the page's own where they lead nowhere. */
export function liveLink(url: string, quote: string): string {
  const found = directive(quote);
  if (!found) return url;
  const [address = "", ...rest] = url.split("#");
  const [place = ""] = rest.join("#").split(DIRECTIVE);
  return `${address}#${place}${DIRECTIVE}text=${found}`;
}

/** What stands after `text=`: the words, or the first and the last of them; "" when there are none to look for. */
export function directive(quote: string): string {
  const blocks = quote
    .split(BLOCKS)
    .map((block) => wordsOf(block.replace(ITEM, "")))
    .filter((words) => words.length);
  const [first = [], last = first] = [blocks.at(0), blocks.at(-1)];
  if (!first.length) return "";
  if (blocks.length === 1) {
    const whole = first.join(" ");
    const length = [...whole].length;
    if (length <= LONGEST || first.length < 2 * WORDS) return length <= MOST ? escaped(whole) : "";
  }
  const [start, end] = [escaped(first.slice(0, WORDS).join(" ")), escaped(last.slice(-WORDS).join(" "))];
  return start.length + end.length <= 12 * MOST ? `${start},${end}` : "";
}

function wordsOf(block: string): string[] {
  return block.split(/\s+/).filter(Boolean);
}

/** Words in an address; what separates the parts of a directive must not stand in them. */
function escaped(words: string): string {
  return encodeURIComponent(words.toWellFormed()).replace(
    /[-!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
