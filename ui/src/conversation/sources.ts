/** The documents an answer cites, each once, in the order of their first citation. */
import type { Citation } from "../api/shapes";

export interface Cited {
  document: string;
  title: string;
  url: string | null;
  citations: Citation[];
  pages: number[];
}

/** Citations by document, with their pages. */
export function sourcesOf(citations: readonly Citation[]): Cited[] {
  const found = new Map<string, Cited>();
  for (const each of citations) {
    const { document, title, url } = each;
    const known = found.get(document) ?? { document, title, url, citations: [], pages: [] };
    found.set(document, known);
    known.citations.push(each);
    if (each.page !== null && !known.pages.includes(each.page)) known.pages.push(each.page);
  }
  for (const each of found.values()) each.pages.sort((a, b) => a - b);
  return [...found.values()];
}

/** Pages, or other numbers, as people write them: runs joined, "3–5, 9". */
export function pageRuns(pages: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else runs.push([page, page]);
  }
  return runs
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`))
    .join(", ");
}
