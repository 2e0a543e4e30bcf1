import type { Document } from "./documents";

/** The selected documents by their ids. Those that the list has not loaded are among them too. */
export type Selection = ReadonlyMap<string, Document>;

/** Add a document to the selection or remove it. With `from`, do the same with all documents in between. */
export function toggleSelection(
  chosen: Selection,
  listed: Document[],
  document: Document,
  from: string | null,
): Selection {
  const next = new Map(chosen);
  const isIn = !chosen.has(document.id);
  for (const each of listRange(listed, document, from)) {
    if (!isIn) next.delete(each.id);
    else next.set(each.id, each);
  }
  return next;
}

function listRange(listed: Document[], document: Document, from: string | null): Document[] {
  const ends = [document.id, from].map((id) => listed.findIndex((each) => each.id === id));
  if (ends.includes(-1)) return [document];
  return listed.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/** Select all listed documents, or none if all are selected. Those that failed can be removed and tagged too. */
export function toggleAll(chosen: Selection, listed: Document[]): Selection {
  if (listed.every(({ id }) => chosen.has(id))) return new Map();
  return addToSelection(new Map(), listed);
}

/** Add documents to the selection. */
export function addToSelection(chosen: Selection, documents: Document[]): Selection {
  return new Map([...chosen, ...documents.map((each): [string, Document] => [each.id, each])]);
}
