import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem";
import type { WireEvent } from "../../src/api/types";
import { Conversation } from "../../src/conversation/Conversation";
import { conversationStore } from "../../src/conversation/conversationStore";
import { Announcer } from "../../src/conversation/thread/Announcer";
import { EMPTY_THREAD, foldEvent } from "../../src/conversation/turns";
import { type Part, told, turnOf } from "./fixtures";
import { type Drawn, drawn } from "./render";

vi.mock("../../src/conversation/eventStream", () => ({
  createEventStream: () => ({ follow: async () => {}, consume: async () => {}, onEvent: () => () => {} }),
}));
vi.mock("../../src/conversation/WelcomeScreen", () => ({ WelcomeScreen: () => <p>beginning</p> }));

/** The client takes the `fetch` there is when it is made: this one is there before. */
const net = vi.hoisted(() => {
  const made: { fetch: typeof fetch } = { fetch: globalThis.fetch };
  globalThis.fetch = (...given) => made.fetch(...given);
  return made;
});

let page: Drawn | null = null;
const PARTS: Part[] = [
  ["", "It is high.", [1]],
  [" ", "It flies.", [], "unsupported"],
];

async function open(id: string | null): Promise<HTMLElement> {
  page = drawn(<Conversation id={id} />);
  await act(async () => {});
  return page.page;
}

function tell(events: WireEvent[]): void {
  act(() =>
    conversationStore.set((now) => ({ ...now, connection: "idle", thread: events.reduce(foldEvent, EMPTY_THREAD) })),
  );
}

beforeEach(() => {
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      close() {}
    },
  );
});

afterEach(() => {
  page?.leave();
  page = null;
  vi.unstubAllGlobals();
});

test("an empty page says what this is and has a place to ask", async () => {
  const shown = await open(null);
  expect(shown.textContent).toContain("beginning");
  expect(shown.querySelector("#ask")).not.toBeNull();
  expect(shown.querySelector(".talk-head")).toBeNull();
});

test("while a conversation is being fetched the page says that it is busy", async () => {
  const shown = await open("c-loading");
  expect(shown.querySelector('[aria-busy="true"]')).not.toBeNull();
  expect(shown.textContent).not.toContain("beginning");
});

test("a conversation that is not there says so, with a way on", async () => {
  const shown = await open("c-gone");
  const problem = new Problem({ code: "not_found", message: "", hint: "" }, 404);
  act(() => conversationStore.set((now) => ({ ...now, connection: "idle", problem })));
  expect(shown.textContent).toContain("There is no such conversation");
  expect(shown.querySelector("a")?.getAttribute("href")).toBe("/");
});

test("a lost line is told, and what is on the page stays", async () => {
  const shown = await open("c-lost");
  tell(told(PARTS));
  act(() => conversationStore.set((now) => ({ ...now, connection: "lost" })));
  expect(shown.querySelector('[role="status"]')?.textContent).toContain("The server does not answer");
  expect(shown.querySelector(".answer")?.textContent).toContain("It is high.");
});

test("a question that was sent is seen at once, before anything has answered", async () => {
  const shown = await open("c-pending");
  act(() => conversationStore.set((now) => ({ ...now, connection: "open", pending: "How high?" })));
  expect(shown.querySelector("h2")?.textContent).toBe("How high?");
  expect(shown.querySelector('[aria-label="Stop"]')).not.toBeNull();
});

test("a long conversation shows its end first, and then all of it", async () => {
  vi.useFakeTimers();
  const shown = await open("c-long");
  const events = Array.from({ length: 30 }, (_, n) =>
    told(PARTS).map((each) => ({ ...each, messageId: `m${n}`, seq: n * 100 + each.seq })),
  );
  tell(events.flat());
  const ids = () => [...shown.querySelectorAll("article")].map(({ id }) => id);
  expect(ids()).toContain("m29");
  expect(ids()).not.toContain("m0");
  await act(async () => vi.advanceTimersByTime(1000));
  await act(async () => vi.advanceTimersByTime(1000));
  expect(ids()).toEqual(events.map((_, n) => `m${n}`));
  vi.useRealTimers();
});

test("those who listen hear that an answer is complete, once, and not its every word", () => {
  const events = told(PARTS);
  page = drawn(<Announcer turn={turnOf(events.slice(0, 5))} />);
  expect(page.page.textContent).toBe("An answer is being written.");
  page.draw(<Announcer turn={turnOf(events)} />);
  expect(page.page.textContent).toBe("Answer complete: 1 of 2 sentences verified, 1 not found.");
});

test("an answer from before is not announced", () => {
  page = drawn(<Announcer turn={turnOf(told(PARTS))} />);
  expect(page.page.textContent).toBe("");
});

test("the tab is called after the conversation, and by the program's name where there is none yet", async () => {
  document.title = "Library · Pincite";
  await open(null);
  expect(document.title).toBe("Pincite");
  act(() => conversationStore.set((now) => ({ ...now, title: "How high is the dam?" })));
  expect(document.title).toBe("How high is the dam? · Pincite");
});

test("a question that the server did not get is explained at its field until the server answers again", async () => {
  vi.useFakeTimers();
  const { fetch } = net;
  net.fetch = async () => {
    throw new TypeError("away");
  };
  const shown = await open("c-away");
  tell(told(PARTS));
  const field = shown.querySelector("#ask") as HTMLTextAreaElement;
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  act(() => {
    setValue?.call(field, "How high?");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => field.form?.requestSubmit());
  await act(async () => vi.advanceTimersByTimeAsync(9000));
  expect(shown.querySelector(".ask-place [role=alert]")?.textContent).toContain("The server does not answer");
  expect(field.value).toBe("How high?");
  net.fetch = async () => Response.json({});
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(shown.querySelector("[role=alert]")).toBeNull();
  net.fetch = fetch;
  vi.useRealTimers();
});
