/** When web pages were fetched. */
import { useEffect } from "react";
import { server, unwrap } from "../../api/client";
import { isHiddenDocument } from "../../sharing/hiddenDocuments";
import { onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";
import { useSelector } from "../../state/useSelector";

/** By document, in milliseconds; null while it is loading or if it is not known. */
const fetchTimes = createStore<Readonly<Record<string, number | null>>>({});
onPersonGone(() => fetchTimes.set({}));

/** Return when this document was fetched; null if there is none and until it is known. */
export function useFetchDate(document: string | null): number | null {
  useEffect(() => {
    if (document && !isHiddenDocument(document)) void loadFetchTime(document);
  }, [document]);
  return useSelector(fetchTimes, (known) => (document ? (known[document] ?? null) : null));
}

async function loadFetchTime(document: string): Promise<void> {
  if (document in fetchTimes.get()) return;
  fetchTimes.set((now) => ({ ...now, [document]: null }));
  try {
    const found = unwrap(await server.GET("/api/documents/{document}", { params: { path: { document } } }));
    fetchTimes.set((now) => ({ ...now, [document]: getFetchTime(found) }));
  } catch {
    // Without the day the card is still complete. The viewer reports a missing document or server.
    fetchTimes.set(({ [document]: _, ...others }) => others);
  }
}

/** Return when a document was fetched, else when it was added, in milliseconds. */
export function getFetchTime({ fetched, created }: { fetched?: number | null; created: number }): number {
  return (fetched ?? created) * 1000;
}
