/** A document as the viewer needs it: what it is, whether it has been read, and the sizes of its pages. */
import { useEffect, useState } from "react";
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";

export type Document = components["schemas"]["Document"];
export type Sheet = components["schemas"]["Sheet"];

export type Source =
  | { is: "loading" }
  | { is: "waiting"; document: Document }
  | { is: "failed"; document: Document }
  | { is: "there"; document: Document; sheets: Sheet[] }
  | { is: "trouble"; problem: Problem };

const AGAIN = 1500;

/** The document with this id, looked at again while it is being read or the server is away. */
export function useSource(id: string): { source: Source; again: () => void } {
  const [source, set] = useState<Source>({ is: "loading" });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by its number
  useEffect(() => {
    const leaving = new AbortController();
    let timer = 0;
    const look = async () => {
      const found = await load(id, leaving.signal);
      if (leaving.signal.aborted) return;
      set(found);
      if (isPassing(found)) timer = window.setTimeout(look, AGAIN);
    };
    set((now) => (now.is === "trouble" ? now : { is: "loading" }));
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [id, tries]);

  return { source, again: () => setTries((now) => now + 1) };
}

function isPassing(source: Source): boolean {
  return source.is === "waiting" || (source.is === "trouble" && source.problem.code === "offline");
}

async function load(id: string, signal: AbortSignal): Promise<Source> {
  const params = { params: { path: { document: id } }, signal };
  try {
    const document = got(await server.GET("/api/documents/{document}", params));
    if (document.status === "failed") return { is: "failed", document };
    if (document.status === "queued" || document.status === "reading") return { is: "waiting", document };
    const { pages } = got(await server.GET("/api/documents/{document}/pages", params));
    return { is: "there", document, sheets: pages };
  } catch (error) {
    return { is: "trouble", problem: asProblem(error) };
  }
}
