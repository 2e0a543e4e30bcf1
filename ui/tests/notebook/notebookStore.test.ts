import { beforeEach, expect, test, vi } from "vitest";
import { toastStore } from "../../src/components/toastStore";
import { keepThing } from "../../src/notebook/keepThing";
import {
  createNotebookStore,
  currentNotebook,
  itemRemoval,
  type NotebookItem,
  type NotebookSummary,
  notebookStore,
} from "../../src/notebook/notebookStore";
import { openWorkspaceStore, workspacesStore } from "../../src/workspaces/workspacesStore";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const notebook = (id: string, title = id): NotebookSummary => ({
  id,
  title,
  items: 0,
  workspace: "",
  created: 0,
  updated: 0,
});
const item = (id: string, text = id): NotebookItem => ({
  ...{ id, notebook: "a", kind: "text", text, comment: "", question: "", conversation: "", message: "" },
  ...{ sentences: [], citations: [], lost: [], created: 0, updated: 0 },
});

/** The status of an answer to something that is added. */
let added = 201;
let sent: { method: string; path: string; body: unknown }[] = [];

/** Answer requests by their method and path. */
function serve(answers: Record<string, unknown>) {
  sent = [];
  fetched.mockImplementation(async (request: Request) => {
    const path = new URL(request.url).pathname;
    const body =
      request.method === "GET"
        ? null
        : await request
            .clone()
            .json()
            .catch(() => null);
    sent.push({ method: request.method, path, body });
    const answer = answers[`${request.method} ${path}`];
    if (answer === undefined) return Response.json({ error: { code: "not_found", message: "None." } }, { status: 404 });
    return Response.json(answer, { status: request.method === "POST" ? added : 200 });
  });
}

beforeEach(() => {
  added = 201;
  currentNotebook.set("");
  openWorkspaceStore.set("");
});

test("in a workspace its notebooks are listed, and a new one is put into it", async () => {
  serve({ "GET /api/notebooks": [], "POST /api/notebooks": notebook("a") });
  const place = { id: "w1", name: "Report", instructions: "", libraries: [], conversations: 0, created: 0, updated: 0 };
  workspacesStore.set([place]);
  openWorkspaceStore.set("w1");
  const store = createNotebookStore();
  await store.load();
  const [[listed]] = fetched.mock.calls.slice(-1) as [[Request]];
  expect(new URL(listed.url).search).toBe("?workspace=w1");
  await store.create("Notes");
  expect(sent.at(-1)?.body).toEqual({ title: "Notes", workspace: "w1" });
});

test("words are kept in the notebook that they were written in, also when another one is current", async () => {
  serve({ "GET /api/notebooks": [notebook("b"), notebook("a")], "POST /api/notebooks/a/items": item("t") });
  currentNotebook.set("b");
  const { notebook: kept } = await createNotebookStore().keep({ kind: "text", text: "t" }, "", notebook("a"));
  expect(kept.id).toBe("a");
  expect(currentNotebook.get()).toBe("b");
});

test("a notebook is put into a workspace, and out of it", async () => {
  serve({
    "GET /api/notebooks": [notebook("a")],
    "PUT /api/workspaces/w1/notebooks/a": {},
    "DELETE /api/workspaces/w1/notebooks/a": {},
  });
  const store = createNotebookStore();
  await store.place(notebook("a"), "w1");
  await store.place({ ...notebook("a"), workspace: "w1" }, "");
  expect(sent.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`)).toEqual([
    "PUT /api/workspaces/w1/notebooks/a",
    "DELETE /api/workspaces/w1/notebooks/a",
  ]);
});

test("the first thing that is kept begins a notebook", async () => {
  serve({
    "GET /api/notebooks": [],
    "POST /api/notebooks": notebook("a", "My notebook"),
    "POST /api/notebooks/a/items": item("1", "Words."),
  });
  const store = createNotebookStore();
  const { notebook: kept, isNew } = await store.keep({ kind: "text", text: "Words." }, "My notebook");
  expect(isNew).toBe(true);
  expect(kept.title).toBe("My notebook");
  expect(store.get().open?.kept.map(({ text }) => text)).toEqual(["Words."]);
  expect(store.get().notebooks?.[0]?.items).toBe(1);
});

test("things are kept in the notebook that was used last", async () => {
  serve({ "GET /api/notebooks": [notebook("a"), notebook("b")], "POST /api/notebooks/b/items": item("1") });
  currentNotebook.set("b");
  await createNotebookStore().keep({ kind: "answer", message: "m" }, "My notebook");
  expect(sent.at(-1)).toEqual({
    method: "POST",
    path: "/api/notebooks/b/items",
    body: { kind: "answer", message: "m", comment: "" },
  });
});

test("what is in the notebook already is told, and is not in it twice", async () => {
  serve({
    "GET /api/notebooks": [{ ...notebook("a", "Lakes"), items: 1 }],
    "GET /api/notebooks/a": { ...notebook("a", "Lakes"), items: 1, kept: [item("1")], missing: [] },
    "POST /api/notebooks/a/items": item("1"),
  });
  added = 200;
  await notebookStore.show("a");
  await keepThing({ kind: "answer", message: "m" });
  expect(toastStore.get().at(-1)?.text).toBe("It is in “Lakes” already.");
  expect(notebookStore.get().open?.kept.map(({ id }) => id)).toEqual(["1"]);
  expect(notebookStore.get().notebooks?.[0]?.items).toBe(1);
  // What is being removed is there again.
  itemRemoval.remove(["a/items/1"], "Removed");
  await keepThing({ kind: "answer", message: "m" });
  expect(toastStore.get().at(-1)?.text).toBe("Kept in “Lakes”.");
  expect(itemRemoval.gone.get().size).toBe(0);
});

test("a moved thing is in its new place at once, and back if the server refuses", async () => {
  serve({ "GET /api/notebooks/a": { ...notebook("a"), kept: [item("1"), item("2"), item("3")], missing: [] } });
  const store = createNotebookStore();
  await store.show("a");
  const order = () =>
    store
      .get()
      .open?.kept.map(({ id }) => id)
      .join("");
  const moving = store.move("3", 0);
  expect(order()).toBe("312");
  await expect(moving).rejects.toThrow();
  expect(order()).toBe("123");
});

test("a notebook that was removed elsewhere is told as such", async () => {
  serve({});
  const store = createNotebookStore();
  await store.show("gone");
  expect(store.get().problem?.code).toBe("not_found");
});
