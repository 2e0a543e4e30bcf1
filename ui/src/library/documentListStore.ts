/** The list of documents: a filter in, pages of documents out, updated with the progress of reading them. */
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { Kind } from "../api/types";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import type { Document, Progress, Status } from "./documents";
import { WEB } from "./librariesStore";

export interface Filter {
  words: string;
  library: string;
  folder: string;
  kind: Kind | "";
  state: "" | "ready" | "working" | "failed";
  tag: string;
  /** How the list is sorted; "" is the newest first. */
  order: "" | "oldest" | "title" | "size";
}

export interface DocumentListState {
  filter: Filter;
  documents: Document[];
  total: number;
  next: string | null;
  status: "loading" | "idle" | "loadingMore";
  problem: Problem | null;
  progress: Record<string, Progress>;
}

export interface DocumentListStore extends Store<DocumentListState> {
  /** List the documents that match a filter, from the newest on. */
  load: (filter: Filter) => Promise<void>;
  /** Load the next page, if there is one. */
  loadMore: () => Promise<void>;
  /** Load all documents that match the filter, in the list's order, without listing more. Rejects on a new filter. */
  loadAll: () => Promise<Document[]>;
  /** Load the listed documents again. Pages after the first 200 documents stay as they are. */
  refresh: () => Promise<void>;
  /** Empty the list and forget the filter. */
  clear: () => void;
  /** Record the progress of a document. Returns whether its status changed, so that the list is out of date. */
  noteProgress: (progress: Progress) => boolean;
  /** Remove a deleted document from the list. */
  drop: (document: string) => void;
  /** Replace a document by its new state and forget its earlier progress. */
  replace: (document: Document) => void;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
export const EVERYTHING: Filter = { words: "", library: "", folder: "", kind: "", state: "", tag: "", order: "" };
const EMPTY: DocumentListState = {
  filter: EVERYTHING,
  documents: [],
  total: 0,
  next: null,
  status: "loading",
  problem: null,
  progress: {},
};
const STATUSES: Record<Filter["state"], Status[]> = {
  "": [],
  ready: ["searchable", "embedding", "ready"],
  working: ["queued", "reading", "embedding"],
  failed: ["failed"],
};

type Page = Pick<DocumentListState, "documents" | "total" | "next">;

/** Create an empty list without a filter. */
export function createDocumentListStore(): DocumentListStore {
  const store = createStore(EMPTY);
  let request = new AbortController();
  let changes = 0;

  const loadPage = async (
    limit: number,
    before: string | null,
    signal: AbortSignal,
    join: (page: Page, now: DocumentListState) => Page,
  ): Promise<void> => {
    const begun = changes;
    const query = { limit, ...makeQuery(store.get().filter), ...(before && { before }) };
    try {
      const page = unwrap(await server.GET("/api/documents", { params: { query }, signal }));
      if (signal.aborted) return;
      // A document was changed or dropped since: the page may show it as it was before.
      if (begun !== changes) return await loadPage(limit, before, signal, join);
      store.set((now) => ({
        ...now,
        ...join(page, now),
        status: "idle",
        problem: null,
        progress: keepRunning(now.progress, page.documents),
      }));
    } catch (error) {
      if (!signal.aborted) store.set((now) => ({ ...now, status: "idle", problem: toProblem(error) }));
    }
  };

  return {
    ...store,
    async load(filter) {
      request.abort();
      request = new AbortController();
      store.set((now) => ({ ...now, filter, status: "loading" }));
      await loadPage(PAGE_SIZE, null, request.signal, (page) => page);
    },
    async loadMore() {
      const { next, status } = store.get();
      if (!next || status !== "idle") return;
      store.set((now) => ({ ...now, status: "loadingMore" }));
      await loadPage(PAGE_SIZE, next, request.signal, (page, now) => ({
        ...page,
        documents: mergeDocuments(now.documents, page.documents),
      }));
    },
    async loadAll() {
      const { signal } = request;
      const filter = makeQuery(store.get().filter);
      const documents: Document[] = [];
      let before: string | null = null;
      do {
        const query = { limit: MAX_PAGE_SIZE, ...filter, ...(before && { before }) };
        const page: Page = unwrap(await server.GET("/api/documents", { params: { query }, signal }));
        documents.push(...page.documents);
        before = page.next;
      } while (before);
      signal.throwIfAborted();
      return documents;
    },
    async refresh() {
      const { documents, status } = store.get();
      if (status !== "idle") return;
      const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, documents.length));
      await loadPage(limit, null, request.signal, (page, now) => {
        const last = page.documents.at(-1);
        const older =
          page.next && last && !now.filter.order ? now.documents.filter((each) => each.created < last.created) : [];
        const next = older.length ? now.next : page.next;
        return { ...page, documents: mergeDocuments(page.documents, older), next };
      });
    },
    clear() {
      request.abort();
      store.set(EMPTY);
    },
    noteProgress(progress) {
      const { documents, progress: known } = store.get();
      const id = progress.document;
      const before = known[id]?.status ?? documents.find((each) => each.id === id)?.status;
      store.set((now) => ({ ...now, progress: { ...now.progress, [id]: progress } }));
      return before !== progress.status;
    },
    drop(document) {
      changes += 1;
      store.set((now) => {
        const documents = now.documents.filter((each) => each.id !== document);
        return documents.length === now.documents.length ? now : { ...now, documents, total: now.total - 1 };
      });
    },
    replace(document) {
      changes += 1;
      store.set((now) => {
        const { [document.id]: _, ...progress } = now.progress;
        const documents = now.documents.map((each) => (each.id === document.id ? document : each));
        return { ...now, progress, documents };
      });
    },
  };
}

export const documentListStore = createDocumentListStore();
onPersonGone(documentListStore.clear);

function makeQuery({ words, library, folder, kind, state, tag, order }: Filter) {
  return {
    ...(words.trim() && { words: words.trim() }),
    // Web pages that answers have read are listed only when their library is chosen: the user did not add them.
    ...(library ? { library } : { without: WEB }),
    ...(folder && { folder }),
    ...(kind && { kind: [kind] }),
    ...(state && { status: STATUSES[state] }),
    ...(tag && { tag: [tag] }),
    ...(order && { order }),
  };
}

/** Join two lists, each document once. */
function mergeDocuments(first: Document[], second: Document[]): Document[] {
  const known = new Set(first.map((each) => each.id));
  return [...first, ...second.filter((each) => !known.has(each.id))];
}

/** Drop the progress of documents that are finished. */
function keepRunning(progress: Record<string, Progress>, documents: Document[]): Record<string, Progress> {
  const finished = new Set(documents.filter((each) => isFinished(each.status)).map((each) => each.id));
  return Object.fromEntries(Object.entries(progress).filter(([id]) => !finished.has(id)));
}

/** Return whether a document's status will not change by itself any more. */
export function isFinished(status: Status): boolean {
  return status === "ready" || status === "failed";
}
