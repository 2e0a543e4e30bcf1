import { beforeEach, expect, test, vi } from "vitest";
import type { Document, Progress } from "../../src/library/documents";
import { drop, EVERYTHING, look, more, note, place, refresh, shelf } from "../../src/library/shelf";

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
const ids = () => shelf.get().documents.map((each) => each.id);
const asked = () => {
  const [request] = fetched.mock.lastCall as [Request];
  return [...new URL(request.url).searchParams];
};

beforeEach(() => {
  kept = Array.from({ length: 120 }, (_, index) => paper(120 - index));
  fetched.mockImplementation(async (request: Request) => serve(request));
  shelf.set((now) => ({ ...now, documents: [], progress: {}, problem: null }));
});

test("filters that are set go to the server, the others do not", async () => {
  await look({ ...EVERYTHING, words: " dam ", kind: "pdf", state: "failed" });
  expect(asked()).toEqual([
    ["limit", "50"],
    ["words", "dam"],
    ["without", "web"],
    ["kind", "pdf"],
    ["status", "failed"],
  ]);
});

test("pages that answers have kept are listed when they are asked for, and not among what a person added", async () => {
  await look(EVERYTHING);
  expect(asked()).toContainEqual(["without", "web"]);
  await look({ ...EVERYTHING, library: "web" });
  expect(asked()).toEqual([
    ["limit", "50"],
    ["library", "web"],
  ]);
});

test("the next page joins the list until there is none", async () => {
  await look(EVERYTHING);
  expect(ids()).toHaveLength(50);
  await more();
  await more();
  await more();
  expect(ids()).toEqual(kept.map((each) => each.id));
  expect(shelf.get().next).toBeNull();
});

test("looking again shows what came and what went, and keeps the pages that were loaded", async () => {
  await look(EVERYTHING);
  await more();
  kept = [paper(121), ...kept.filter((each) => each.id !== "d100")];
  await refresh();
  expect(ids()).toEqual(kept.slice(0, 100).map((each) => each.id));
  await more();
  expect(ids()).toEqual(kept.map((each) => each.id));
});

test("a list that cannot be had says so and keeps what it has", async () => {
  await look(EVERYTHING);
  fetched.mockRejectedValue(new TypeError("no line"));
  await refresh();
  expect(shelf.get().problem?.code).toBe("offline");
  expect(ids()).toHaveLength(50);
});

test("an answer that comes after a newer search is not shown", async () => {
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const slow = look({ ...EVERYTHING, words: "a" });
  await look({ ...EVERYTHING, words: "ab" });
  kept = [];
  answer(Response.json({ documents: [paper(999)], total: 1, next: null }));
  await slow;
  expect(shelf.get().filter.words).toBe("ab");
  expect(ids()).not.toContain("d999");
});

test("progress is told at once, and the list is behind only when a state changed", async () => {
  kept = [paper(1, "queued")];
  await look(EVERYTHING);
  const told = { document: "d1", status: "reading", step: "read", done: 1, total: 9, error: null } as Progress;
  expect(note(told)).toBe(true);
  expect(note({ ...told, done: 2 })).toBe(false);
  expect(shelf.get().progress.d1?.done).toBe(2);
  kept = [paper(1)];
  await refresh();
  expect(shelf.get().progress).toEqual({});
});

test("a document that was removed elsewhere leaves the list", async () => {
  await look(EVERYTHING);
  drop("d120");
  drop("d120");
  expect(ids()).not.toContain("d120");
  expect(shelf.get().total).toBe(119);
});

test("a document that is tried again waits at once, whatever was told of the work before", async () => {
  kept = [paper(1, "failed")];
  await look(EVERYTHING);
  note({ document: "d1", status: "failed", error_code: "encrypted" } as Progress);
  place(paper(1, "queued"));
  expect(shelf.get().documents[0]?.status).toBe("queued");
  expect(shelf.get().progress).toEqual({});
});
