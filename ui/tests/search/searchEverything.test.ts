import { afterEach, beforeEach, expect, test, vi } from "vitest";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

import { createEverythingSearch } from "../../src/search/searchEverything";
import { openWorkspaceStore, workspacesStore } from "../../src/workspaces/workspacesStore";

const answer = (path: string) => {
  if (path.includes("/api/documents")) return { documents: [{ id: "d1", title: "Lease", name: "l.pdf" }], total: 1 };
  if (path.includes("/api/conversations")) return { conversations: [], total: 0, next: null };
  if (path.includes("/api/notebooks")) return [];
  return { passages: [] };
};

beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  fetched.mockImplementation(async (request: Request) => Response.json(answer(request.url)));
});
afterEach(() => {
  vi.useRealTimers();
});

test("only what was typed last is searched for, after a pause", async () => {
  const search = createEverythingSearch();
  search.search("le");
  search.search("lease");
  await vi.advanceTimersByTimeAsync(1000);
  const urls = fetched.mock.calls.map(([request]) => new URL((request as Request).url));
  expect(urls).toHaveLength(4);
  const words = urls.map(({ searchParams }) => searchParams.get("words") ?? searchParams.get("q"));
  expect(new Set(words)).toEqual(new Set(["lease"]));
  expect(search.get()).toMatchObject({ words: "lease", isBusy: false, documents: [{ id: "d1" }] });
});

test("a new search cancels the one that is running, whose late results are not shown", async () => {
  const search = createEverythingSearch();
  let late: (response: Response) => void = () => undefined;
  fetched.mockImplementation(() => new Promise<Response>((resolve) => (late = resolve)));
  search.search("first");
  await vi.advanceTimersByTimeAsync(200);
  const [request] = fetched.mock.calls[0] as [Request];
  search.search("");
  expect(request.signal.aborted).toBe(true);
  late(Response.json({ passages: [{ document: "d1" }] }));
  await vi.advanceTimersByTimeAsync(200);
  expect(search.get()).toMatchObject({ words: "", passages: [], isBusy: false });
});

test("what the server does not tell is missed aloud, and the rest is shown", async () => {
  const search = createEverythingSearch();
  fetched.mockImplementation(async (request: Request) => {
    if (request.url.includes("passages")) throw new TypeError("no line");
    return Response.json(answer(request.url));
  });
  search.search("lease");
  await vi.advanceTimersByTimeAsync(1000);
  expect(search.get()).toMatchObject({ hasFailed: true, isBusy: false, documents: [{ id: "d1" }] });
});

test("passages are those of the open workspace", async () => {
  const place = { id: "w1", name: "Report", instructions: "", libraries: [], conversations: 0, created: 0, updated: 0 };
  workspacesStore.set([place]);
  openWorkspaceStore.set("w1");
  createEverythingSearch().search("lease");
  await vi.advanceTimersByTimeAsync(1000);
  const urls = fetched.mock.calls.map(([request]) => new URL((request as Request).url));
  const inside = urls.find(({ pathname }) => pathname === "/api/passages");
  expect(inside?.searchParams.get("workspace")).toBe("w1");
  openWorkspaceStore.set("");
});

test("no document takes more than two of the five places of passages", async () => {
  const passages = ["a", "a", "a", "a", "b", "c", "b", "b", "d"].map((document, start) => ({ document, start }));
  fetched.mockImplementation(async (request: Request) =>
    Response.json(request.url.includes("/api/passages") ? { passages } : answer(request.url)),
  );
  const search = createEverythingSearch();
  search.search("lease");
  await vi.advanceTimersByTimeAsync(1000);
  expect(search.get().passages.map(({ document, start }) => `${document}${start}`)).toEqual([
    ...["a0", "a1", "b4", "c5", "b6"],
  ]);
});
