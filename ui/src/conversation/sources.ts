/** The documents an answer cites, each once, in the order of their first citation. */
import type { Citation } from "../api/shapes";
import type { Numbered } from "../pageNames";

export interface Cited {
  document: string;
  title: string;
  /** The file's name, where another document has the same title; else "". */
  name: string;
  url: string | null;
  citations: Citation[];
  pages: Numbered[];
}

/** Citations by document, with their pages. */
export function sourcesOf(citations: readonly Citation[]): Cited[] {
  const found = new Map<string, Cited>();
  for (const each of citations) {
    const { document, title, name, url, page, label } = each;
    const known = found.get(document) ?? { document, title, name, url, citations: [], pages: [] };
    found.set(document, known);
    known.citations.push(each);
    if (page !== null && !known.pages.some((other) => other.page === page)) known.pages.push({ page, label });
  }
  const sources = [...found.values()];
  const alike = findAlike(sources);
  for (const each of sources) {
    each.pages.sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
    if (!alike.has(each.title)) each.name = "";
  }
  return sources;
}

/** The titles that several documents have: these are told apart by their files' names. */
export function findAlike(sources: readonly { title: string; document: string }[]): Set<string> {
  const first = new Map<string, string>();
  const alike = new Set<string>();
  for (const { title, document } of sources) {
    if ((first.get(title) ?? document) !== document) alike.add(title);
    first.set(title, document);
  }
  return alike;
}
