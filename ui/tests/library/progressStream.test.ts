import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDocumentListStore, EVERYTHING } from "../../src/library/documentListStore";
import type { Document } from "../../src/library/documents";
import { createLibrariesStore } from "../../src/library/librariesStore";
import { createProgressStream } from "../../src/library/progressStream";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
let streams: (string | Error)[] = [];
let kept: Document[] = [];
let line: AbortController;
const documentListStore = createDocumentListStore();
const progressStream = createProgressStream(documentListStore, createLibrariesStore());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  line = new AbortController();
  streams = [];
  kept = [{ id: "d1", created: 1, status: "queued" } as Document];
  fetched.mockImplementation(async (asked: string | Request) => {
    if (typeof asked !== "string") return Response.json({ documents: kept, total: kept.length, next: null });
    const stream = streams.shift();
    if (stream === undefined) return new Promise(() => undefined);
    if (stream instanceof Error) throw stream;
    return new Response(stream);
  });
  progressStream.isConnected.set(true);
  await documentListStore.load(EVERYTHING);
});
afterEach(() => {
  line.abort();
  vi.useRealTimers();
});

test("the work shows as it goes on, and the list follows when a document's state changes", async () => {
  streams = [event("progress", { document: "d1", status: "reading", done: 3, total: 9 })];
  void progressStream.follow(line.signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(documentListStore.get().progress.d1).toMatchObject({ status: "reading", done: 3 });
  kept = [{ id: "d1", created: 1, status: "ready" } as Document];
  await vi.advanceTimersByTimeAsync(400);
  expect(documentListStore.get().documents[0]?.status).toBe("ready");
});

test("a document that is removed elsewhere leaves at once", async () => {
  streams = [event("removed", { document: "d1" })];
  void progressStream.follow(line.signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(documentListStore.get().documents).toEqual([]);
});

test("a server that goes away is noticed, and the list is looked at again when it is back", async () => {
  streams = [new TypeError("no line"), new TypeError("no line"), ": still here\n\n"];
  void progressStream.follow(line.signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(progressStream.isConnected.get()).toBe(false);
  kept = [...kept, { id: "d0", created: 0, status: "ready" } as Document];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(progressStream.isConnected.get()).toBe(true);
  expect(documentListStore.get().documents.map((each) => each.id)).toEqual(["d1", "d0"]);
});
