/** The documents that an answer cites, each once, in the order of their first citation. */
import type { Citation } from "../../api/types";
import { joinLines } from "../../text/lineNames";
import type { NumberedPage } from "../../text/pageNames";

export interface CitedDocument {
  document: string;
  title: string;
  /** The file's name if another document has the same title; else "". */
  name: string;
  url: string | null;
  /** The path of a file of a project; else "". */
  path: string;
  citations: Citation[];
  pages: NumberedPage[];
}

/** Group citations by document, with their pages. */
export function listCitedDocuments(citations: readonly Citation[]): CitedDocument[] {
  const found = new Map<string, CitedDocument>();
  for (const each of citations) {
    const { document, title, name, url, path, page, label } = each;
    const known = found.get(document) ?? { document, title, name, url, path, citations: [], pages: [] };
    found.set(document, known);
    known.citations.push(each);
    if (page !== null && !known.pages.some((other) => other.page === page)) known.pages.push({ page, label });
  }
  const sources = [...found.values()];
  const alike = findSharedTitles(sources);
  for (const each of sources) {
    each.pages.sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
    if (!alike.has(each.title)) each.name = "";
  }
  return sources;
}

/** Find the titles that several documents share; their files' names tell them apart. */
export function findSharedTitles(sources: readonly { title: string; document: string }[]): Set<string> {
  const first = new Map<string, string>();
  const alike = new Set<string>();
  for (const { title, document } of sources) {
    if ((first.get(title) ?? document) !== document) alike.add(title);
    first.set(title, document);
  }
  return alike;
}

/** Describe the cited lines of a file: "src/app.py:12–20, 34". */
export function describeLines({ path, citations }: CitedDocument): string {
  const lines = joinLines(citations.flatMap((each) => (each.lines ? [each.lines] : [])));
  return lines ? `${path}:${lines}` : path;
}
