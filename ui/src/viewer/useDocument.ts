/** A document as the viewer needs it: its data, whether it was read, and the sizes of its pages. */
import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { onPersonGone } from "../state/personalData";

export type Document = components["schemas"]["WholeDocument"];
export type Sheet = components["schemas"]["Sheet"];

export type LoadedDocument =
  | { status: "loading" }
  | { status: "waiting"; document: Document }
  | { status: "failed"; document: Document }
  | { status: "there"; document: Document; sheets: Sheet[] }
  | { status: "trouble"; problem: Problem };

const POLL_INTERVAL = 1500;

const CACHE_SIZE = 30;

/** Documents that were shown before. They are shown at once when the reader comes back, and loaded again behind. */
function createDocumentCache() {
  const documents = new Map<string, LoadedDocument>();
  return {
    get: (id: string) => documents.get(id),
    clear: () => documents.clear(),
    set(id: string, source: LoadedDocument) {
      documents.delete(id);
      if (source.status !== "there") return;
      documents.set(id, source);
      for (const oldest of [...documents.keys()].slice(0, -CACHE_SIZE)) documents.delete(oldest);
    },
  };
}

const cache = createDocumentCache();
onPersonGone(cache.clear);

/** Load a document, and poll it while it is being read or the server is away. */
export function useDocument(id: string): { source: LoadedDocument; again: () => void } {
  const [found, set] = useState<{ id: string; source: LoadedDocument } | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number loads again
  useEffect(() => {
    const leaving = new AbortController();
    let timer = 0;
    const look = async () => {
      const source = await loadDocument(id, leaving.signal);
      if (leaving.signal.aborted) return;
      set((now) => (now?.id === id && isSame(now.source, source) ? now : { id, source }));
      cache.set(id, source);
      if (isTemporary(source)) timer = window.setTimeout(look, POLL_INTERVAL);
    };
    const before = cache.get(id);
    if (before) set({ id, source: before });
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [id, tries]);

  const source = found?.id === id ? found.source : (cache.get(id) ?? { status: "loading" });
  return { source, again: () => setTries((now) => now + 1) };
}

/** Return whether two loads gave the same, so that nothing renders again. */
function isSame(one: LoadedDocument, other: LoadedDocument): boolean {
  return one.status === "there" && other.status === "there" && one.document.updated === other.document.updated;
}

function isTemporary(source: LoadedDocument): boolean {
  return source.status === "waiting" || (source.status === "trouble" && source.problem.code === "offline");
}

/** Give a page that could not be measured the size of most pages. */
function fillSize(sheet: Sheet): Sheet {
  return sheet.width > 0 && sheet.height > 0 ? sheet : { ...sheet, width: 595, height: 842 };
}

async function loadDocument(id: string, signal: AbortSignal): Promise<LoadedDocument> {
  const params = { params: { path: { document: id } }, signal };
  try {
    const document = unwrap(await server.GET("/api/documents/{document}", params));
    if (document.status === "failed") return { status: "failed", document };
    if (document.status === "queued" || document.status === "reading") return { status: "waiting", document };
    const { pages } = unwrap(await server.GET("/api/documents/{document}/pages", params));
    return { status: "there", document, sheets: pages.map(fillSize) };
  } catch (error) {
    return { status: "trouble", problem: toProblem(error) };
  }
}
