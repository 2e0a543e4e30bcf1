import { type Document, isRead } from "./documents";

/** Which documents are chosen, by id, with the title each is shown under. */
export type Choice = ReadonlyMap<string, string>;

/** The choice with one document taken in or out; with `from`, all that are read between it and that one like it. */
export function toggled(chosen: Choice, listed: Document[], document: Document, from: string | null): Choice {
  const next = new Map(chosen);
  const isIn = !chosen.has(document.id);
  for (const each of between(listed, document, from)) {
    if (!isIn) next.delete(each.id);
    else if (isRead(each.status)) next.set(each.id, each.title || each.name);
  }
  return next;
}

function between(listed: Document[], document: Document, from: string | null): Document[] {
  const ends = [document.id, from].map((id) => listed.findIndex((each) => each.id === id));
  if (ends.includes(-1)) return [document];
  return listed.slice(Math.min(...ends), Math.max(...ends) + 1);
}
