import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WireEvent } from "../../src/api/types";
import { isRunning } from "../../src/conversation/conversationState";
import { type ConversationStore, createConversationStore } from "../../src/conversation/conversationStore";
import { numbered, type Part, told } from "./fixtures";

/** The client takes the `fetch` there is when it is made: this one is there before. */
const net = vi.hoisted(() => {
  const made: { fetch: typeof fetch } = { fetch: globalThis.fetch };
  globalThis.fetch = (...given) => made.fetch(...given);
  return made;
});

type Reply = Response | Error | (() => Response);
const asked: { path: string; body: unknown }[] = [];
let replies: [pattern: RegExp, reply: Reply][] = [];

/** Answers requests from a list: each reply is used once, the last of a pattern for ever. */
async function server(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = input instanceof Request ? input : null;
  const path = request ? new URL(request.url).pathname + new URL(request.url).search : String(input);
  const method = request?.method ?? init?.method ?? "GET";
  const text = request ? await request.text() : String(init?.body ?? "");
  asked.push({ path: `${method} ${path}`, body: text ? JSON.parse(text) : null });
  const place = replies.findIndex(([pattern]) => pattern.test(`${method} ${path}`));
  const found = replies[place];
  if (!found) throw new TypeError(`Nothing answers ${method} ${path}`);
  if (replies.filter(([pattern]) => String(pattern) === String(found[0])).length > 1) replies.splice(place, 1);
  const [, reply] = found;
  if (reply instanceof Error) throw reply;
  return typeof reply === "function" ? reply() : reply.clone();
}

function stream(events: WireEvent[], headers: Record<string, string> = {}): Response {
  const body = events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join("");
  return new Response(body, { headers: { "X-Conversation-Id": "c1", ...headers } });
}

function whole(ids: string[], state = "done"): Response {
  const messages = ids.map((id) => ({ id, role: "assistant", state, rating: null, created: 1, updated: 3 }));
  return Response.json({ id: "c1", title: "The dam", running: false, messages });
}

const PARTS: Part[] = [["", "It is high.", [1]]];
const GONE = new TypeError("Failed to fetch");

let store: ConversationStore;

beforeEach(() => {
  store = createConversationStore();
  replies = [];
  asked.length = 0;
  net.fetch = server;
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
      close() {}
    },
  );
});

afterEach(async () => {
  await store.open(null);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a question is asked, its conversation gets its address, and the answer is there at the end", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  const begun = vi.fn();
  await store.ask({ message: "How high?", focusMode: "all" }, begun);
  expect(begun).toHaveBeenCalledExactlyOnceWith("c1");
  expect(store.get()).toMatchObject({ id: "c1", title: "How high?", connection: "idle", pending: null });
  expect(store.get().thread.turns).toMatchObject([{ text: "It is high. [1]", state: "done" }]);
});

test("a question that is refused leaves the conversation as it was, and says why", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  await store.ask({ message: "How high?", focusMode: "all" }, () => {});
  const before = store.get().thread;
  replies = [
    [/POST \/api\/chat/, Response.json({ error: { code: "busy", message: "Wait.", hint: "" } }, { status: 409 })],
  ];
  const again = store.ask({ message: "Higher?", focusMode: "all", replaces: "m1" }, () => {});
  expect(isRunning(store.get())).toBe(true);
  expect(store.get().thread.turns).toEqual([]);
  await expect(again).rejects.toMatchObject({ code: "busy" });
  expect(store.get().thread).toBe(before);
  expect(isRunning(store.get())).toBe(false);
});

test.each([
  ["not_found", "document", 404],
  ["not_found", "persona", 404],
  ["misuse", "no_search_engine", 400],
])("code and reason of a refusal are passed on, whatever its message says: %s %s", async (code, reason, status) => {
  replies = [[/POST \/api\/chat/, Response.json({ error: { code, message: "…", hint: "", reason } }, { status })]];
  const asking = store.ask({ message: "How high?", focusMode: "web" }, () => {});
  await expect(asking).rejects.toMatchObject({ code, reason });
  expect(store.get()).toMatchObject({ connection: "idle", pending: null });
});

test("a line that is lost in mid-answer is taken up where it was", async () => {
  vi.useFakeTimers();
  const events = told(PARTS, 2);
  replies = [
    [/POST \/api\/chat/, stream(events.slice(0, 4))],
    [/GET \/api\/conversations\/c1$/, GONE],
    [/GET \/api\/conversations\/c1$/, whole(["m1"], "running")],
    [/GET \/api\/conversations\/c1\/events/, stream(events.slice(4))],
  ];
  const asking = store.ask({ message: "How high?", focusMode: "all" }, () => {});
  await vi.waitFor(() => expect(store.get().connection).toBe("lost"));
  expect(store.get().thread.turns).toMatchObject([{ state: "running" }]);
  await vi.runAllTimersAsync();
  await asking;
  expect(asked.at(-1)?.path).toContain("after=4");
  expect(store.get()).toMatchObject({
    connection: "idle",
    thread: { turns: [{ text: "It is high. [1]", state: "done" }] },
  });
});

test("a page that is loaded in mid-answer shows what there is and goes on", async () => {
  const events = told(PARTS, 2);
  replies = [
    [/GET \/api\/conversations\/c1$/, whole(["m1"], "running")],
    [/GET \/api\/conversations\/c1\/events/, stream(events)],
  ];
  const live: boolean[] = [];
  const stop = store.onEvent((_, isLive) => live.push(isLive));
  await store.open("c1");
  stop();
  expect(store.get()).toMatchObject({ title: "The dam", thread: { turns: [{ state: "done" }] } });
  expect(new Set(live)).toEqual(new Set([true]));
});

test("an answer that was over before is not live: it opens nothing by itself", async () => {
  replies = [
    [/GET \/api\/conversations\/c1$/, whole(["m1"])],
    [/GET \/api\/conversations\/c1\/events/, stream(told(PARTS))],
  ];
  const live: boolean[] = [];
  const stop = store.onEvent((_, isLive) => live.push(isLive));
  await store.open("c1");
  stop();
  expect(new Set(live)).toEqual(new Set([false]));
  expect(store.get().times.m1).toBe(2);
});

test("what was asked again in another tab takes the place of what was there", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  await store.ask({ message: "How high?", focusMode: "all" }, () => {});
  const other = told([["", "Low."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  replies = [
    [/GET \/api\/conversations\/c1$/, whole(["m2"], "running")],
    [/GET \/api\/conversations\/c1\/events/, stream(other)],
  ];
  await store.refresh();
  expect(store.get().thread.turns).toMatchObject([{ id: "m2", text: "Low." }]);
});

test("what another tab asked for is known as such until this one asks", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  await store.ask({ message: "How high?", focusMode: "all" }, () => {});
  expect(store.get().isAskedElsewhere).toBe(false);
  replies = [
    [/GET \/api\/conversations\/c1$/, whole(["m1"])],
    [/GET \/api\/conversations\/c1\/events/, stream([])],
  ];
  await store.refresh();
  expect(store.get().isAskedElsewhere).toBe(true);
  const next = told([["", "Wide."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  replies = [[/POST \/api\/chat/, stream(next)]];
  await store.ask({ message: "How wide?", focusMode: "all" }, () => {});
  expect(store.get().isAskedElsewhere).toBe(false);
});

test("a title that was made from the first question follows it when that is asked otherwise", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  await store.ask({ message: "How high?", focusMode: "all" }, () => {});
  const next = told([["", "Wide."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  replies = [
    [/POST \/api\/chat/, stream(next)],
    [/GET \/api\/conversations\/c1$/, whole(["m2"])],
    [/GET \/api\/conversations\/c1\/events/, stream([])],
  ];
  await store.ask({ message: "How wide?", focusMode: "all", replaces: "m1" }, () => {});
  expect(store.get()).toMatchObject({
    title: "The dam",
    connection: "idle",
    thread: { turns: [{ id: "m2", text: "Wide." }] },
  });
});

test("a question asked before the conversation was heard to its end leaves nothing of it out", async () => {
  vi.useFakeTimers();
  replies = [[/GET \/api\/conversations\/c1$/, GONE]];
  void store.open("c1");
  await vi.waitFor(() => expect(store.get().connection).toBe("lost"));
  const next = told([["", "Wide."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  replies = [
    [/POST \/api\/chat/, stream(next)],
    [/GET \/api\/conversations\/c1$/, whole(["m1", "m2"])],
    [/GET \/api\/conversations\/c1\/events\?after=0/, stream([...told(PARTS), ...next])],
  ];
  await store.ask({ message: "How wide?", focusMode: "all" }, () => {});
  expect(store.get()).toMatchObject({ connection: "idle", pending: null });
  expect(store.get().thread.turns).toMatchObject([{ id: "m1" }, { id: "m2", text: "Wide.", state: "done" }]);
});

test("who asks while another tab's question is being answered sees that one", async () => {
  replies = [[/POST \/api\/chat/, stream(told(PARTS))]];
  await store.ask({ message: "How high?", focusMode: "all" }, () => {});
  const other = told([["", "Wide."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  const busy = { error: { code: "busy", message: "Wait.", hint: "" } };
  replies = [
    [/POST \/api\/chat/, Response.json(busy, { status: 409 })],
    [/GET \/api\/conversations\/c1$/, whole(["m1", "m2"], "running")],
    [/GET \/api\/conversations\/c1\/events/, stream(other)],
  ];
  await expect(store.ask({ message: "How deep?", focusMode: "all" }, () => {})).rejects.toMatchObject({ code: "busy" });
  await vi.waitFor(() => expect(store.get().connection).toBe("idle"));
  await vi.waitFor(() => expect(store.get().thread.turns).toMatchObject([{ id: "m1" }, { id: "m2", text: "Wide." }]));
});

test("a conversation that does not exist says so, and is not asked for again", async () => {
  replies = [[/GET/, Response.json({ error: { code: "not_found", message: "None.", hint: "" } }, { status: 404 })]];
  await store.open("c9");
  expect(store.get()).toMatchObject({ connection: "idle", problem: { code: "not_found" } });
  expect(asked).toHaveLength(1);
});

test("an error of the stream itself is told, not swallowed", async () => {
  const broken = { ...numbered([{ type: "error", data: { code: "storage", message: "full", hint: "" } }])[0], seq: 0 };
  replies = [
    [/GET \/api\/conversations\/c1$/, whole([])],
    [/GET \/api\/conversations\/c1\/events/, stream([broken as WireEvent])],
  ];
  await store.open("c1");
  expect(store.get()).toMatchObject({ connection: "idle", problem: { code: "storage" } });
});

test("a rating that cannot be kept is taken back", async () => {
  replies = [[/POST \/api\/messages\/m1\/rating/, GONE]];
  const rating = store.rate("m1", 1);
  expect(store.get().ratings).toEqual({ m1: 1 });
  await expect(rating).rejects.toMatchObject({ code: "offline" });
  expect(store.get().ratings).toEqual({});
});
