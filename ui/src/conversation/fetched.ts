/** When a page of the web was fetched: the day its kept copy is of. */
import { useEffect } from "react";
import { got, server } from "../api/client";
import { store } from "../store";
import { usePicked } from "./picked";

/** By document, in milliseconds; null while it is not known, or cannot be. */
const days = store<Readonly<Record<string, number | null>>>({});

/** When this document was fetched; null for none, and until it is known. */
export function useFetched(document: string | null): number | null {
  useEffect(() => {
    if (document) void look(document);
  }, [document]);
  return usePicked(days, (known) => (document ? (known[document] ?? null) : null));
}

async function look(document: string): Promise<void> {
  if (document in days.get()) return;
  days.set((now) => ({ ...now, [document]: null }));
  try {
    const found = got(await server.GET("/api/documents/{document}", { params: { path: { document } } }));
    days.set((now) => ({ ...now, [document]: fetchedAt(found) }));
  } catch {
    // A day that is not said is no trouble; the viewer tells when the copy is gone or the server away.
    days.set(({ [document]: _, ...others }) => others);
  }
}

/** When a document was fetched, else when it was added, in milliseconds. */
export function fetchedAt({ fetched, created }: { fetched?: number | null; created: number }): number {
  return (fetched ?? created) * 1000;
}
