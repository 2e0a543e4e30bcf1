/** The progress of all documents, from one stream that reconnects when it is lost. */
import { waitForRetry } from "../api/backoff";
import { toProblem } from "../api/problem";
import { openStream, readEvents } from "../api/serverSentEvents";
import { createCoalesced } from "../state/coalesce";
import { createStore, type Store } from "../state/store";
import { type DocumentListStore, documentListStore } from "./documentListStore";
import type { Progress } from "./documents";
import { type LibrariesStore, librariesStore } from "./librariesStore";

const DELAY = 300;

export interface ProgressStream {
  /** Whether the server answers; the library says so when it does not. */
  isConnected: Store<boolean>;
  /** Load the list again after a delay; several calls are one. */
  refreshSoon: () => void;
  /** Follow the progress until the signal aborts. */
  follow: (signal: AbortSignal) => Promise<void>;
  /** Apply one event of the stream. */
  handleEvent: (type: string, data: string) => void;
}

/** Create the stream that keeps these lists up to date. */
export function createProgressStream(documents: DocumentListStore, libraries: LibrariesStore): ProgressStream {
  const isConnected = createStore(true);

  const refreshSoon = createCoalesced(() => {
    void documents.refresh();
    libraries.loadSoon();
  }, DELAY);

  const handleEvent = (type: string, data: string) => {
    if (type === "progress") {
      if (documents.noteProgress(JSON.parse(data) as Progress)) refreshSoon();
    } else if (type === "removed") {
      documents.drop((JSON.parse(data) as { document: string }).document);
    }
  };

  const follow = async (signal: AbortSignal) => {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const response = await openStream("/api/documents/events", { signal });
        if (!isConnected.get()) refreshSoon();
        isConnected.set(true);
        attempt = 0;
        for await (const batch of readEvents(response)) for (const { type, data } of batch) handleEvent(type, data);
      } catch (error) {
        if (signal.aborted) return;
        if (toProblem(error).code === "offline") isConnected.set(false);
      }
      await waitForRetry(attempt, signal);
    }
  };

  return { isConnected, refreshSoon, follow, handleEvent };
}

export const progressStream = createProgressStream(documentListStore, librariesStore);
