/** Files that are being uploaded, two at a time, whichever page is open. */
import { server, unwrap } from "../api/client";
import { Problem, toProblem } from "../api/problem";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import type { AddedDocument } from "./documents";
import { type UploadOptions, uploadFile } from "./upload";

export interface Upload {
  key: number;
  file: File;
  options: UploadOptions;
  state: "waiting" | "sending" | "known" | "failed";
  share: number;
  problem: Problem | null;
  document: AddedDocument | null;
}

/** A file and the folder it was in; "" for none. */
export interface FileInFolder {
  file: File;
  folder: string;
}

type Listener = (document: AddedDocument) => void;

export interface UploadQueue extends Store<Upload[]> {
  /** Call the listener for every document that was added. Returns how to stop. */
  onAdded: (listener: Listener) => () => void;
  /** Upload these files after those that are waiting. */
  enqueue: (files: FileInFolder[], library?: string) => void;
  /** Stop an upload, or hide it when it is over. */
  dismiss: (key: number) => void;
  /** Hide all files that were in the library already. */
  dismissKnown: () => void;
  /** Stop all uploads and hide them. */
  clear: () => void;
  /** Upload a file again that failed. */
  retry: (key: number) => void;
  /** Return whether files are being sent. */
  isSending: () => boolean;
}

const MAX_PARALLEL = 2;
/** Files up to this size, in bytes, are sent without asking for the server's limit. */
const UNCHECKED_SIZE = 1_000_000;

/** Create an empty queue. */
export function createUploadQueue(): UploadQueue {
  const store = createStore<Upload[]>([]);
  const listeners = new Set<Listener>();
  const requests = new Map<number, AbortController>();
  let count = 0;

  const remove = (key: number) => store.set((now) => now.filter((each) => each.key !== key));
  const change = (key: number, to: Partial<Upload>) =>
    store.set((now) => now.map((each) => (each.key === key ? { ...each, ...to } : each)));

  const sendNext = () => {
    for (const each of store.get()) {
      if (requests.size >= MAX_PARALLEL) return;
      if (each.state === "waiting") void send(each);
    }
  };

  const send = async ({ key, file, options }: Upload) => {
    const request = new AbortController();
    requests.set(key, request);
    change(key, { state: "sending" });
    try {
      if (file.size > UNCHECKED_SIZE) await checkSize(file);
      const document = await uploadFile(file, options, (share) => change(key, { share }), request.signal);
      if (document.outcome === "known") change(key, { state: "known", document });
      else remove(key);
      for (const listener of listeners) listener(document);
    } catch (error) {
      if (!request.signal.aborted) change(key, { state: "failed", problem: toProblem(error) });
    } finally {
      requests.delete(key);
      sendNext();
    }
  };

  return {
    ...store,
    onAdded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enqueue(files, library = "") {
      const added = files.map(({ file, folder }): Upload => {
        const options = { ...(library && { library }), ...(folder && { folder }) };
        return { key: ++count, file, options, state: "waiting", share: 0, problem: null, document: null };
      });
      store.set((now) => [...now, ...added]);
      sendNext();
    },
    dismiss(key) {
      remove(key);
      requests.get(key)?.abort();
    },
    dismissKnown: () => store.set((now) => now.filter((each) => each.state !== "known")),
    clear() {
      store.set([]);
      for (const request of requests.values()) request.abort();
    },
    retry(key) {
      change(key, { state: "waiting", share: 0, problem: null });
      sendNext();
    },
    isSending: () => requests.size > 0,
  };
}

/**
 * Reject a file that the server would reject. A connection that it closes in mid-file looks like a server that is gone.
 */
async function checkSize(file: File): Promise<void> {
  const { max_file_mb } = unwrap(await server.GET("/api/settings"));
  if (file.size > max_file_mb * 1_000_000) throw new Problem({ code: "too_large", message: "", hint: "" }, 413);
}

export const uploadQueue = createUploadQueue();
onPersonGone(uploadQueue.clear);

window.addEventListener("beforeunload", (event) => {
  if (uploadQueue.isSending()) event.preventDefault();
});
