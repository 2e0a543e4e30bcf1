import { beforeEach, expect, test, vi } from "vitest";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

import {
  createWorkspacesStore,
  getOpenWorkspace,
  openWorkspaceStore,
  type Workspace,
  workspacesStore,
} from "../../src/workspaces/workspacesStore";

const made = (id: string): Workspace => ({
  id,
  name: id,
  instructions: "",
  libraries: [],
  conversations: 0,
  created: 0,
  updated: 0,
});

beforeEach(() => {
  fetched.mockReset();
  workspacesStore.set(null);
  openWorkspaceStore.set("");
});

test("a question goes to the open workspace only if that exists", () => {
  openWorkspaceStore.set("w1");
  expect(getOpenWorkspace()).toBe("");
  workspacesStore.set([made("w1")]);
  expect(getOpenWorkspace()).toBe("w1");
  workspacesStore.set([made("w2")]);
  expect(getOpenWorkspace()).toBe("");
});

test("a new workspace is created, a known one is changed, and the list is loaded again", async () => {
  const store = createWorkspacesStore();
  fetched.mockImplementation(async (request: Request) =>
    Response.json(request.method === "GET" ? [made("w1")] : made("w1"), {
      status: request.method === "POST" ? 201 : 200,
    }),
  );
  const given = { name: "w1", instructions: "", libraries: [] };
  await store.save(null, given);
  await store.save("w1", given);
  const sent = fetched.mock.calls.map(([request]) => {
    const { method, url } = request as Request;
    return `${method} ${new URL(url).pathname}`;
  });
  expect(sent).toEqual([
    "POST /api/workspaces",
    "GET /api/workspaces",
    "PUT /api/workspaces/w1",
    "GET /api/workspaces",
  ]);
  expect(store.get()).toEqual([made("w1")]);
});

test("a server that is away leaves the list as it was", async () => {
  const store = createWorkspacesStore();
  store.set([made("w1")]);
  fetched.mockRejectedValue(new TypeError("no line"));
  await store.load();
  expect(store.get()).toEqual([made("w1")]);
});
