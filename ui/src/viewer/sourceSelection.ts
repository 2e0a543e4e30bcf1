/** The words that a reader has selected in a source, and their characters in the document's text. */
import { server, unwrap } from "../api/client";
import { toCodePointIndex } from "../text/codePoints";
import type { NumberedPage } from "../text/pageNames";
import type { TextRange } from "./viewerStore";

/** Selected words of a document. */
export interface SourceSelection {
  document: string;
  title: string;
  /** The words on one line. */
  text: string;
  /** The page where they begin, and its printed label; null and "" without pages. */
  page: number | null;
  label: string;
  /** The page where they end, and its label. */
  last: NumberedPage;
  /** The last heading above them in a source without pages; "" if there is none. */
  heading: string;
  /** Their characters in the document's text, if the view knows them; `locateSelection` finds them for drawn pages. */
  range: TextRange | null;
  /** Where they begin on a drawn page, as shares of its width and height. */
  at: { x: number; y: number } | null;
}

type FoundWords = Pick<SourceSelection, "text" | "page" | "heading" | "range" | "at"> & { lastPage: number | null };

/** The most characters that the server finds at once, and those of each end of a longer selection. */
const MOST_WORDS = 900;
const END_WORDS = 300;
/** A hyphen at the beginning of words: their first one is the second half of a broken word. */
const HALF = /^\p{Pd} /u;

/** Read the words that are selected in an element that shows a source; null if there are none. */
export function readSelection(root: HTMLElement, selection: Selection | null): FoundWords | null {
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const selected = selection.getRangeAt(0);
  const common = selected.commonAncestorContainer;
  if (!root.contains(common)) return null;
  const text = joinLines(selection.toString());
  if (!text) return null;
  const range = findTextRange(root, selected);
  const place = findPlaceOnPage(selected);
  const heading = place.page === null ? findHeadingAbove(root, selected) : "";
  // A browser may end a selection of whole lines before the first letter of the next page.
  const last = selected.endOffset ? Number(findSheet(selected.endContainer)?.dataset.page) || null : place.page;
  return { text, range, heading, ...place, lastPage: last };
}

/** Return the words of the last heading that ends before a range begins. */
function findHeadingAbove(root: HTMLElement, selected: Range): string {
  const above = [...root.querySelectorAll<HTMLElement>(".clean-heading")].findLast(
    (heading) => selected.comparePoint(heading, heading.childNodes.length) < 0,
  );
  return joinLines(above?.textContent ?? "");
}

/** Put words on one line. The server shows a word that a line end broke with characters without width in it. */
export function joinLines(words: string): string {
  return words
    .replace(/\u00ad[\s\u2060]*|\u2060/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Find the characters that a range of the page covers. Elements with `data-from` show the document's text from that
 * character on, and nothing else.
 */
export function findTextRange(root: HTMLElement, selected: Range): TextRange | null {
  const parts: TextRange[] = [];
  for (const element of root.querySelectorAll<HTMLElement>("[data-from]")) {
    if (!selected.intersectsNode(element)) continue;
    const from = Number(element.dataset.from);
    const text = element.textContent ?? "";
    const start = element.contains(selected.startContainer)
      ? countBefore(element, selected.startContainer, selected.startOffset)
      : 0;
    const end = element.contains(selected.endContainer)
      ? countBefore(element, selected.endContainer, selected.endOffset)
      : toCodePointIndex(text, text.length);
    if (start < end) parts.push({ start: from + start, end: from + end });
  }
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
}

/** Count the code points of an element before a point in it. */
function countBefore(element: HTMLElement, node: Node, offset: number): number {
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  const text = before.toString();
  return toCodePointIndex(text, text.length);
}

function findPlaceOnPage(selected: Range): Pick<FoundWords, "page" | "at"> {
  const sheet = findSheet(selected.startContainer);
  if (!sheet) return { page: null, at: null };
  const [box, first] = [sheet.getBoundingClientRect(), selected.getClientRects?.()[0]];
  const at = first && { x: (first.left - box.left) / box.width, y: (first.top - box.top) / box.height };
  return { page: Number(sheet.dataset.page), at: at ?? null };
}

function findSheet(node: Node): HTMLElement | null {
  const inside = node instanceof Element ? node : node.parentElement;
  return inside?.closest<HTMLElement>("[data-page]") ?? null;
}

/** Words of the document's text on one line, each of them whole, and their characters. */
export interface LocatedWords extends TextRange {
  text: string;
}

/** Return a selection as the document's text has it; null if the server does not find the words. */
export async function locateSelection(selection: SourceSelection): Promise<LocatedWords | null> {
  const { document, text, page, at } = selection;
  if (selection.range) return { ...selection.range, text };
  const find = async (words: string) => {
    const params = { path: { document }, query: { words } };
    return unwrap(await server.GET("/api/documents/{document}/find", { params })).matches;
  };
  try {
    if (text.length <= MOST_WORDS) return chooseMatch(await find(text), page, at);
    const [first, last] = await Promise.all([
      find(text.slice(0, END_WORDS)),
      find(text.slice(-END_WORDS).replace(HALF, "")),
    ]);
    const begin = chooseMatch(first, page, at);
    const end = begin && last.find((each) => each.start >= begin.start);
    if (!begin || !end) return null;
    const range = { start: begin.start, end: end.end };
    const read = await server.GET("/api/documents/{document}/text", { params: { path: { document }, query: range } });
    return { ...range, text: joinLines(unwrap(read).text) };
  } catch {
    return null;
  }
}

const HYPHENATED = /[\p{L}\p{N}]\p{Pd} /u;

/** Return a selection of a drawn page with the words whole that line ends broke. */
export async function joinBrokenWords(selection: SourceSelection): Promise<SourceSelection> {
  if (!HYPHENATED.test(selection.text)) return selection;
  return { ...selection, text: (await locateSelection(selection))?.text ?? selection.text };
}

interface Match extends LocatedWords {
  page: number | null;
  boxes: { width: number; height: number; rects: number[][] }[];
}

/** Choose the match on the page that begins nearest to a place on it. */
export function chooseMatch(
  matches: readonly Match[],
  page: number | null,
  at: SourceSelection["at"],
): LocatedWords | null {
  const here = matches.filter((each) => page === null || each.page === page);
  const measure = ({ boxes }: Match) => {
    const [first] = boxes;
    const [left = 0, top = 0] = first?.rects[0] ?? [];
    return first && at ? Math.abs(left / first.width - at.x) + Math.abs(top / first.height - at.y) : 0;
  };
  const [best] = here.toSorted((one, other) => measure(one) - measure(other));
  return best ? { start: best.start, end: best.end, text: joinLines(best.text) } : null;
}
