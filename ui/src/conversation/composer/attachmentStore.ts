/** Files that are being uploaded for the question that is being written. */
import { server, unwrap } from "../../api/client";
import { type Problem, toProblem } from "../../api/problem";
import { uploadFile, waitUntilSearchable } from "../../library/upload";
import { onPersonGone } from "../../state/personalData";
import { createStore, type Store } from "../../state/store";
import { addToScopeOf, keepSentFiles, restoreSentFiles, scopeConversation } from "./questionOptions";

/** `share` is the part of the file that was sent; 1 while it is being read. */
export interface Attachment {
  key: number;
  name: string;
  /** The conversation whose question it is for; null for one that has not begun. */
  conversation: string | null;
  /** The id of its document once it was sent; "" before. */
  document: string;
  share: number;
  problem: Problem | null;
  cancel: () => void;
}

export interface AttachmentStore extends Store<Attachment[]> {
  /** Upload files, and add each to the question's documents as soon as it can be asked about. */
  attachFiles: (files: readonly File[]) => void;
  /** Have the server fetch a web page or file, and add it likewise. */
  attachAddress: (url: string) => void;
  /** Go on with the files of this conversation that were sent before the page was loaded again. */
  restore: (conversation: string | null) => void;
  /** Return whether a file is being sent, which a reload would lose. */
  isSending: () => boolean;
  /** Remove the attachments that failed. */
  dropFailed: () => void;
  /** Stop and remove all of them. */
  clear: () => void;
}

type Send = (onProgress: (share: number) => void, signal: AbortSignal) => Promise<{ id: string }>;

/** Create a store without attachments. */
export function createAttachmentStore(): AttachmentStore {
  const store = createStore<Attachment[]>([]);
  let count = 0;

  const add = async (name: string, send: Send, conversation = scopeConversation.get()) => {
    const key = ++count;
    const request = new AbortController();
    const { signal } = request;
    const keep = () => {
      const mine = store.get().filter((each) => each.conversation === conversation && each.document && !each.problem);
      keepSentFiles(
        conversation,
        mine.map(({ document: id, name }) => ({ id, name })),
      );
    };
    const drop = () => {
      store.set((now) => now.filter((each) => each.key !== key));
      keep();
    };
    const change = (to: Partial<Attachment>) => {
      store.set((now) => now.map((each) => (each.key === key ? { ...each, ...to } : each)));
      if (to.document || to.problem) keep();
    };
    const cancel = () => {
      request.abort();
      drop();
    };
    store.set((now) => [...now, { key, name, conversation, document: "", share: 0, problem: null, cancel }]);
    try {
      const added = await send((share) => change({ share }), signal);
      change({ share: 1, document: added.id });
      const document = await waitUntilSearchable(added.id, signal);
      addToScopeOf(conversation, { id: document.id, title: document.title || document.name });
      drop();
    } catch (error) {
      if (!signal.aborted) change({ problem: toProblem(error) });
    }
  };

  return {
    ...store,
    attachFiles(files) {
      for (const file of files) void add(file.name, (onProgress, signal) => uploadFile(file, {}, onProgress, signal));
    },
    attachAddress(url) {
      void add(url, async (_, signal) => unwrap(await server.POST("/api/documents", { body: { url }, signal })));
    },
    restore(conversation) {
      const known = new Set(store.get().map((each) => each.document));
      for (const { id, name } of restoreSentFiles(conversation))
        if (!known.has(id)) void add(name, async () => ({ id }), conversation);
    },
    isSending: () => store.get().some((each) => !each.document && !each.problem),
    clear() {
      for (const { cancel } of store.get()) cancel();
    },
    dropFailed: () => store.set((now) => now.filter((each) => !each.problem)),
  };
}

export const attachmentStore = createAttachmentStore();
onPersonGone(attachmentStore.clear);

window.addEventListener("beforeunload", (event) => {
  if (attachmentStore.isSending()) event.preventDefault();
});
