/** Names of pages: "page 6", "page iv (6 in the file)" if another number is printed on it, "slide 2". */
import type { Translate } from "../i18n";

/**
 * A page and its label on the wire: the number that is printed on it, or "slide 2"; "" if it is the page's own number.
 */
export interface NumberedPage {
  page: number | null;
  label: string;
}

/** Name a page, or the pages up to `last`; "" without a page. */
export function namePage(t: Translate, { page, label }: NumberedPage, last: number | null = null): string {
  if (page === null) return "";
  const pages = joinPages(page, last);
  if (isSlide({ page, label })) return t(pages === page ? "pages.slide" : "pages.slides", { pages });
  if (label) return t("pages.printed", { label, pages });
  return t(pages === page ? "pages.page" : "pages.range", { pages });
}

/** Name a page with a capital letter. */
export function titlePage(t: Translate, numbered: NumberedPage): string {
  const name = namePage(t, numbered);
  return name.charAt(0).toLocaleUpperCase(t.language) + name.slice(1);
}

/** Name a page, or the pages up to `last`, in short for a footnote: "p. 6", "p. 6–7". */
export function abbreviatePage(t: Translate, numbered: NumberedPage, last: number | null = null): string {
  const { page, label } = numbered;
  if (page === null || isSlide(numbered)) return namePage(t, numbered, last);
  const pages = joinPages(page, last);
  return label ? t("pages.shortPrinted", { label, page: pages }) : t("pages.short.one", { pages });
}

/** Name a page, or the pages up to `last`, in short by the numbers printed on them, for a quote: "p. iv", "p. iv–v". */
export function abbreviatePrintedPage(t: Translate, first: NumberedPage, last: NumberedPage = first): string {
  if (first.page === null || isSlide(first)) return namePage(t, first, last.page);
  const [from, to] = [getPrinted(first), getPrinted(last)];
  return t("pages.short.one", { pages: from === to ? from : `${from}–${to}` });
}

/** Find the last page of cited words, which may go over a page end; null without pages. */
export function findLastPage(boxes: readonly { page: number }[]): number | null {
  return boxes.length ? Math.max(...boxes.map(({ page }) => page)) : null;
}

/** Name the sorted pages of one document: "pp. 3–5, 9", "pp. iv, 2", "slides 2, 3". */
export function listPages(t: Translate, pages: readonly NumberedPage[]): string {
  const [first] = pages;
  if (!first) return "";
  if (pages.length === 1) return abbreviatePage(t, first);
  if (pages.every(isSlide)) return t("pages.slides", { pages: joinRuns(pages.map(({ page }) => page ?? 0)) });
  return t.count("pages.short", pages.length, { pages: joinRuns(pages.map(getNumber), pages.map(getPrinted)) });
}

/** Write sorted numbers with ranges: "3–5, 9". `shown` gives other labels for them. */
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

/** Return whether a page is a slide of a presentation. */
export function isSlide({ page, label }: NumberedPage): boolean {
  return page !== null && label === `slide ${page}`;
}

/** Return a page of a document with its label; without pages it has none. */
export function getNumberedPage(sheets: readonly { label: string }[], page: number | null): NumberedPage {
  return { page, label: sheets[(page ?? 0) - 1]?.label ?? "" };
}

/** Return the number that is printed on a page, as the page field takes it; of a slide its number. */
export function getPrintedNumber(numbered: NumberedPage): string {
  return isSlide(numbered) ? String(numbered.page) : getPrinted(numbered);
}

function joinPages(page: number, last: number | null): string | number {
  return last !== null && last > page ? `${page}–${last}` : page;
}

function getNumber({ page }: NumberedPage): number {
  return page ?? 0;
}

/** Return the label that is printed on a page. */
function getPrinted({ page, label }: NumberedPage): string {
  return label || String(page);
}

function isNumber(sign: string | undefined): boolean {
  return /^\d+$/.test(sign ?? "");
}
