/** The documents that are listed: a filter in, pages of documents out, kept in step with the work on them. */
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { Kind } from "../api/shapes";
import { store } from "../store";
import type { Document, Progress, Status } from "./documents";
import { WEB } from "./holdings";

export interface Filter {
  words: string;
  library: string;
  folder: string;
  kind: Kind | "";
  state: "" | "ready" | "working" | "failed";
}

export interface Shelf {
  filter: Filter;
  documents: Document[];
  total: number;
  next: string | null;
  is: "loading" | "still" | "more";
  problem: Problem | null;
  progress: Record<string, Progress>;
}

const PAGE = 50;
const MOST = 200;
export const EVERYTHING: Filter = { words: "", library: "", folder: "", kind: "", state: "" };
const STATES: Record<Filter["state"], Status[]> = {
  "": [],
  ready: ["searchable", "embedding", "ready"],
  working: ["queued", "reading", "embedding"],
  failed: ["failed"],
};

export const shelf = store<Shelf>({
  filter: EVERYTHING,
  documents: [],
  total: 0,
  next: null,
  is: "loading",
  problem: null,
  progress: {},
});

let line = new AbortController();

/** List what a filter lets through, from the newest on. */
export async function look(filter: Filter): Promise<void> {
  line.abort();
  line = new AbortController();
  shelf.set((now) => ({ ...now, filter, is: "loading" }));
  await load(PAGE, null, line.signal, (page) => page);
}

/** The next page of what is listed, if there is one. */
export async function more(): Promise<void> {
  const { next, is } = shelf.get();
  if (!next || is !== "still") return;
  shelf.set((now) => ({ ...now, is: "more" }));
  await load(PAGE, next, line.signal, (page, now) => ({ ...page, documents: joined(now.documents, page.documents) }));
}

/** Look again at what is listed: something has come, gone or changed. Pages after the first 200 stay as they are. */
export async function refresh(): Promise<void> {
  const { documents, is } = shelf.get();
  if (is !== "still") return;
  const limit = Math.min(MOST, Math.max(PAGE, documents.length));
  await load(limit, null, line.signal, (page, now) => {
    const last = page.documents.at(-1);
    const older = page.next && last ? now.documents.filter((each) => each.created < last.created) : [];
    return { ...page, documents: joined(page.documents, older), next: older.length ? now.next : page.next };
  });
}

type Page = Pick<Shelf, "documents" | "total" | "next">;

async function load(limit: number, before: string | null, signal: AbortSignal, join: (page: Page, now: Shelf) => Page) {
  const { words, library, folder, kind, state } = shelf.get().filter;
  const query = {
    limit,
    ...(words.trim() && { words: words.trim() }),
    // What answers have read on the way is not what a person put here: it is listed when it is asked for.
    ...(library ? { library } : { without: WEB }),
    ...(folder && { folder }),
    ...(kind && { kind: [kind] }),
    ...(state && { status: STATES[state] }),
    ...(before && { before }),
  };
  try {
    const page = got(await server.GET("/api/documents", { params: { query }, signal }));
    if (signal.aborted) return;
    shelf.set((now) => ({
      ...now,
      ...join(page, now),
      is: "still",
      problem: null,
      progress: running(now.progress, page.documents),
    }));
  } catch (error) {
    if (!signal.aborted) shelf.set((now) => ({ ...now, is: "still", problem: asProblem(error) }));
  }
}

/** Both lists, each document once. */
function joined(first: Document[], second: Document[]): Document[] {
  const known = new Set(first.map((each) => each.id));
  return [...first, ...second.filter((each) => !known.has(each.id))];
}

/** The work that is not over, by what was told of it or of the document meanwhile. */
function running(progress: Record<string, Progress>, documents: Document[]): Record<string, Progress> {
  const over = new Set(documents.filter((each) => isOver(each.status)).map((each) => each.id));
  return Object.fromEntries(Object.entries(progress).filter(([id]) => !over.has(id)));
}

/** Whether nothing more happens to a document by itself. */
export function isOver(status: Status): boolean {
  return status === "ready" || status === "failed";
}

/** Note how far a document is; whether the list itself is behind now. */
export function note(progress: Progress): boolean {
  const { documents, progress: told } = shelf.get();
  const before = told[progress.document]?.status ?? documents.find((each) => each.id === progress.document)?.status;
  shelf.set((now) => ({ ...now, progress: { ...now.progress, [progress.document]: progress } }));
  return before !== progress.status;
}

/** Take a document off the list: it is no more. */
export function drop(document: string): void {
  shelf.set((now) => {
    const documents = now.documents.filter((each) => each.id !== document);
    return documents.length === now.documents.length ? now : { ...now, documents, total: now.total - 1 };
  });
}

/** Put a document in its place as it is now; what was told of earlier work on it is over. */
export function place(document: Document): void {
  shelf.set((now) => {
    const { [document.id]: _, ...progress } = now.progress;
    return { ...now, progress, documents: now.documents.map((each) => (each.id === document.id ? document : each)) };
  });
}
