import { beforeEach, expect, test, vi } from "vitest";
import { createDocumentListStore, EVERYTHING } from "../../src/library/documentListStore";
import type { Document, Progress } from "../../src/library/documents";

const documentListStore = createDocumentListStore();

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

let kept: Document[] = [];

/** A server that has these documents, the newest first, and gives them in pages. */
function serve(request: Request): Response {
  const query = new URL(request.url).searchParams;
  const before = Number(query.get("before") ?? Number.POSITIVE_INFINITY);
  const found = kept.filter((each) => each.created < before);
  const documents = found.slice(0, Number(query.get("limit")));
  const next = found.length > documents.length ? String(documents.at(-1)?.created) : null;
  return Response.json({ documents, total: kept.length, next });
}

const paper = (created: number, status = "ready") => ({ id: `d${created}`, created, status }) as Document;
const ids = () => documentListStore.get().documents.map((each) => each.id);
const asked = () => {
  const [request] = fetched.mock.lastCall as [Request];
  return [...new URL(request.url).searchParams];
};

beforeEach(() => {
  fetched.mockClear();
  kept = Array.from({ length: 120 }, (_, index) => paper(120 - index));
  fetched.mockImplementation(async (request: Request) => serve(request));
  documentListStore.set((now) => ({ ...now, documents: [], progress: {}, problem: null }));
});

test("filters that are set go to the server, the others do not", async () => {
  await documentListStore.load({ ...EVERYTHING, words: " dam ", kind: "pdf", state: "failed" });
  expect(asked()).toEqual([
    ["limit", "50"],
    ["words", "dam"],
    ["without", "web"],
    ["kind", "pdf"],
    ["status", "failed"],
  ]);
});

test("pages that answers have kept are listed when they are asked for, and not among what a person added", async () => {
  await documentListStore.load(EVERYTHING);
  expect(asked()).toContainEqual(["without", "web"]);
  await documentListStore.load({ ...EVERYTHING, library: "web" });
  expect(asked()).toEqual([
    ["limit", "50"],
    ["library", "web"],
  ]);
});

test("the next page joins the list until there is none", async () => {
  await documentListStore.load(EVERYTHING);
  expect(ids()).toHaveLength(50);
  await documentListStore.loadMore();
  await documentListStore.loadMore();
  await documentListStore.loadMore();
  expect(ids()).toEqual(kept.map((each) => each.id));
  expect(documentListStore.get().next).toBeNull();
});

test("all that match are loaded under the same filter and order, and the list stays as it is", async () => {
  kept = Array.from({ length: 450 }, (_, index) => paper(450 - index));
  await documentListStore.load({ ...EVERYTHING, library: "birds", state: "ready", order: "title" });
  const [first] = asked();
  const all = await documentListStore.loadAll();
  expect(all.map((each) => each.id)).toEqual(kept.map((each) => each.id));
  expect(first).toEqual(["limit", "50"]);
  expect(asked()).toEqual([
    ["limit", "200"],
    ["library", "birds"],
    ...["searchable", "embedding", "ready"].map((status) => ["status", status]),
    ["order", "title"],
    ["before", "51"],
  ]);
  expect(ids()).toHaveLength(50);
});

test("what is loaded for one filter is not selected under the next", async () => {
  await documentListStore.load(EVERYTHING);
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const all = documentListStore.loadAll();
  await documentListStore.load({ ...EVERYTHING, words: "dam" });
  answer(Response.json({ documents: kept, total: 120, next: null }));
  await expect(all).rejects.toThrow();
});

test("looking again shows what came and what went, and keeps the pages that were loaded", async () => {
  await documentListStore.load(EVERYTHING);
  await documentListStore.loadMore();
  kept = [paper(121), ...kept.filter((each) => each.id !== "d100")];
  await documentListStore.refresh();
  expect(ids()).toEqual(kept.slice(0, 100).map((each) => each.id));
  await documentListStore.loadMore();
  expect(ids()).toEqual(kept.map((each) => each.id));
});

test("a list that cannot be had says so and keeps what it has", async () => {
  await documentListStore.load(EVERYTHING);
  fetched.mockRejectedValue(new TypeError("no line"));
  await documentListStore.refresh();
  expect(documentListStore.get().problem?.code).toBe("offline");
  expect(ids()).toHaveLength(50);
});

test("an answer that comes after a newer search is not shown", async () => {
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const slow = documentListStore.load({ ...EVERYTHING, words: "a" });
  await documentListStore.load({ ...EVERYTHING, words: "ab" });
  kept = [];
  answer(Response.json({ documents: [paper(999)], total: 1, next: null }));
  await slow;
  expect(documentListStore.get().filter.words).toBe("ab");
  expect(ids()).not.toContain("d999");
});

test("progress is told at once, and the list is behind only when a state changed", async () => {
  kept = [paper(1, "queued")];
  await documentListStore.load(EVERYTHING);
  const told = { document: "d1", status: "reading", step: "read", done: 1, total: 9, error: null } as Progress;
  expect(documentListStore.noteProgress(told)).toBe(true);
  expect(documentListStore.noteProgress({ ...told, done: 2 })).toBe(false);
  expect(documentListStore.get().progress.d1?.done).toBe(2);
  kept = [paper(1)];
  await documentListStore.refresh();
  expect(documentListStore.get().progress).toEqual({});
});

test("a document that was removed elsewhere leaves the list", async () => {
  await documentListStore.load(EVERYTHING);
  documentListStore.drop("d120");
  documentListStore.drop("d120");
  expect(ids()).not.toContain("d120");
  expect(documentListStore.get().total).toBe(119);
});

test("a document that is tried again waits at once, whatever was told of the work before", async () => {
  kept = [paper(1, "failed")];
  await documentListStore.load(EVERYTHING);
  documentListStore.noteProgress({ document: "d1", status: "failed", error_code: "encrypted" } as Progress);
  documentListStore.replace(paper(1, "queued"));
  expect(documentListStore.get().documents[0]?.status).toBe("queued");
  expect(documentListStore.get().progress).toEqual({});
});

test("a list that was asked for before a document was changed does not show the document as it was", async () => {
  await documentListStore.load(EVERYTHING);
  const before = [paper(120, "failed"), ...kept.slice(1)];
  let answer = () => {};
  fetched.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(Response.json({ documents: before, total: 120, next: null }));
      }),
  );
  kept = [paper(120, "queued"), ...kept.slice(1)];
  const refreshed = documentListStore.refresh();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  documentListStore.replace(paper(120, "queued"));
  answer();
  await refreshed;
  expect(documentListStore.get().documents[0]?.status).toBe("queued");
});
