/** The documents that wait to be read or are being read. */
import { server, unwrap } from "../api/client";
import { createCoalesced } from "../state/coalesce";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { documentListStore } from "./documentListStore";
import type { Document } from "./documents";
import { librariesStore } from "./librariesStore";
import { uploadQueue } from "./uploadQueue";

interface WaitingDocuments {
  /** How many the server counted. */
  counted: number;
  /** The uploaded documents that the server was not asked about since. */
  arrived: ReadonlySet<string>;
  /** The first of those that are being read. */
  reading: Document[];
}

const NONE: WaitingDocuments = { counted: 0, arrived: new Set(), reading: [] };
const SHOWN = 3;
const NEWEST = 50;
const DELAY = 700;

export const waitingDocuments = createStore(NONE);
onPersonGone(() => waitingDocuments.set(NONE));

/** Keep the number of waiting documents up to date. Returns how to stop. */
export function followWaiting(): () => void {
  let [isOver, asked, answered] = [false, 0, 0];
  const load = createCoalesced(async () => {
    const turn = ++asked;
    const known = waitingDocuments.get().arrived;
    try {
      const [all, now] = await Promise.all([
        list(["queued", "reading", "embedding"], NEWEST),
        list(["reading"], SHOWN),
      ]);
      if (isOver || turn < answered) return;
      answered = turn;
      // A file whose upload is not answered yet, or was answered meanwhile, may be counted already.
      const newest = new Set(all.documents.map(({ id }) => id));
      const { arrived } = waitingDocuments.get();
      const sending = new Set(uploadQueue.get().flatMap(({ state, file }) => (state === "sending" ? [file.name] : [])));
      const early = all.documents.filter(({ id, name }) => sending.has(name) && !arrived.has(id)).length;
      waitingDocuments.set({
        counted: all.total - early,
        arrived: new Set([...arrived].filter((id) => !known.has(id) && !newest.has(id))),
        reading: now.documents,
      });
    } catch {
      // The list of documents shows the error when the server is gone.
    }
  }, DELAY);
  load();
  const stops = [
    documentListStore.subscribe(load),
    librariesStore.subscribe(load),
    uploadQueue.subscribe(load),
    uploadQueue.onAdded(({ id, outcome }) => {
      // What the library has already is not read again.
      if (outcome === "known") return;
      waitingDocuments.set((now) => ({ ...now, arrived: new Set([...now.arrived, id]) }));
    }),
  ];
  return () => {
    isOver = true;
    waitingDocuments.set(NONE);
    for (const stop of stops) stop();
  };
}

async function list(status: Document["status"][], limit: number) {
  return unwrap(await server.GET("/api/documents", { params: { query: { status, limit } } }));
}
