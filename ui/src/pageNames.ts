/** Pages as a person names them: "page 6", "page iv (6 in the file)" where another number is printed, "slide 2". */
import type { Say } from "./words";

/** A page and its label on the wire: the number that is printed on it, or "slide 2"; "" where it is the page's own. */
export interface Numbered {
  page: number | null;
  label: string;
}

/** Name a page, or the pages from it to `last`; "" without one. */
export function namePage(say: Say, { page, label }: Numbered, last: number | null = null): string {
  if (page === null) return "";
  const pages = last !== null && last > page ? `${page}–${last}` : page;
  if (isSlide({ page, label })) return say(pages === page ? "pages.slide" : "pages.slides", { pages });
  if (label) return say("pages.printed", { label, pages });
  return say(pages === page ? "pages.page" : "pages.range", { pages });
}

/** The same as a name of its own, which begins with a capital. */
export function titlePage(say: Say, numbered: Numbered): string {
  const name = namePage(say, numbered);
  return name.charAt(0).toLocaleUpperCase(say.language) + name.slice(1);
}

/** The same in brief, for a footnote: "p. 6". */
export function abbreviatePage(say: Say, numbered: Numbered): string {
  const { page, label } = numbered;
  if (page === null || isSlide(numbered)) return namePage(say, numbered);
  return label ? say("pages.shortPrinted", { label, page }) : say("pages.short.one", { pages: page });
}

/** Name the pages of one document, which are in order: "pp. 3–5, 9", "pp. iv, 2", "slides 2, 3". */
export function listPages(say: Say, pages: readonly Numbered[]): string {
  const [first] = pages;
  if (!first) return "";
  if (pages.length === 1) return abbreviatePage(say, first);
  if (pages.every(isSlide)) return say("pages.slides", { pages: joinRuns(pages.map(({ page }) => page ?? 0)) });
  return say.count("pages.short", pages.length, { pages: joinRuns(pages.map(numberOf), pages.map(printedOf)) });
}

/** Numbers in order as people write them, runs joined: "3–5, 9"; `shown` are their signs where they have others. */
export function joinRuns(numbers: readonly number[], shown: readonly string[] = numbers.map(String)): string {
  const runs: [from: number, to: number][] = [];
  for (const at of numbers.keys()) {
    const last = runs.at(-1);
    const isNext = last && numbers[at] === (numbers[last[1]] ?? 0) + 1;
    if (isNext && isNumber(shown[at]) === isNumber(shown[last[1]])) last[1] = at;
    else runs.push([at, at]);
  }
  return runs
    .map(([from, to]) => (to > from + 1 ? `${shown[from]}–${shown[to]}` : shown.slice(from, to + 1).join(", ")))
    .join(", ");
}

/** Whether a page is a slide of a presentation. */
export function isSlide({ page, label }: Numbered): boolean {
  return page !== null && label === `slide ${page}`;
}

function numberOf({ page }: Numbered): number {
  return page ?? 0;
}

/** What is printed on a page. */
function printedOf({ page, label }: Numbered): string {
  return label || String(page);
}

function isNumber(sign: string | undefined): boolean {
  return /^\d+$/.test(sign ?? "");
}
