/** A document as the viewer needs it: what it is, whether it has been read, and the sizes of its pages. */
import { useEffect, useState } from "react";
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";

export type Document = components["schemas"]["WholeDocument"];
export type Sheet = components["schemas"]["Sheet"];

export type Source =
  | { is: "loading" }
  | { is: "waiting"; document: Document }
  | { is: "failed"; document: Document }
  | { is: "there"; document: Document; sheets: Sheet[] }
  | { is: "trouble"; problem: Problem };

const AGAIN = 1500;

/** What was there a moment ago is shown at once when one comes back to it, and looked at again behind. */
const seen = new Map<string, Source>();
const KEPT = 30;

/** The document with this id, looked at again while it is being read or the server is away. */
export function useSource(id: string): { source: Source; again: () => void } {
  const [found, set] = useState<{ id: string; source: Source } | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by its number
  useEffect(() => {
    const leaving = new AbortController();
    let timer = 0;
    const look = async () => {
      const source = await load(id, leaving.signal);
      if (leaving.signal.aborted) return;
      set((now) => (now?.id === id && isSame(now.source, source) ? now : { id, source }));
      keep(id, source);
      if (isPassing(source)) timer = window.setTimeout(look, AGAIN);
    };
    const before = seen.get(id);
    if (before) set({ id, source: before });
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [id, tries]);

  const source = found?.id === id ? found.source : (seen.get(id) ?? { is: "loading" });
  return { source, again: () => setTries((now) => now + 1) };
}

function keep(id: string, source: Source): void {
  seen.delete(id);
  if (source.is !== "there") return;
  seen.set(id, source);
  for (const oldest of [...seen.keys()].slice(0, -KEPT)) seen.delete(oldest);
}

/** Whether two looks saw the same: then nothing is drawn again. */
function isSame(one: Source, other: Source): boolean {
  return one.is === "there" && other.is === "there" && one.document.updated === other.document.updated;
}

function isPassing(source: Source): boolean {
  return source.is === "waiting" || (source.is === "trouble" && source.problem.code === "offline");
}

/** A page that could not be measured is as large as most are. */
function sized(sheet: Sheet): Sheet {
  return sheet.width > 0 && sheet.height > 0 ? sheet : { ...sheet, width: 595, height: 842 };
}

async function load(id: string, signal: AbortSignal): Promise<Source> {
  const params = { params: { path: { document: id } }, signal };
  try {
    const document = got(await server.GET("/api/documents/{document}", params));
    if (document.status === "failed") return { is: "failed", document };
    if (document.status === "queued" || document.status === "reading") return { is: "waiting", document };
    const { pages } = got(await server.GET("/api/documents/{document}/pages", params));
    return { is: "there", document, sheets: pages.map(sized) };
  } catch (error) {
    return { is: "trouble", problem: asProblem(error) };
  }
}
