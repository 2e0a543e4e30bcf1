import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AccountInfo, type AccountStore, createAccountStore } from "../../src/account/accountStore";
import { watchSession } from "../../src/account/sessionWatch";
import { doubtSession } from "../../src/api/sessionDoubt";
import { makeInfo, makePerson } from "./fixtures";

const { fetched, channels } = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  const channels = new Set<{ onmessage: ((event: { data: unknown }) => void) | null }>();
  // The channel between the tabs of a browser; this one has none.
  class Channel {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor() {
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const each of channels) if (each !== this) each.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  }
  vi.stubGlobal("BroadcastChannel", Channel);
  return { fetched, channels };
});

let said: AccountInfo;
let stops: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  said = makeInfo(makePerson("a"));
  stops = [];
  fetched.mockReset();
  fetched.mockImplementation(async (asked: Request | string) => {
    if (typeof asked === "string") return new Promise(() => undefined);
    return asked.url.endsWith("/api/account") ? Response.json(said) : new Response(null, { status: 204 });
  });
});
afterEach(() => {
  for (const stop of stops) stop();
  expect(channels.size).toBe(0);
  vi.useRealTimers();
});

function openTab(mode: "team" | "local" = "team"): AccountStore {
  const account = createAccountStore(mode);
  if (mode === "team") account.enter(said);
  stops.push(watchSession(account));
  return account;
}

const settle = () => vi.advanceTimersByTimeAsync(100);
const countQuestions = () => fetched.mock.calls.filter(([asked]) => asked.url?.endsWith("/api/account")).length;

test("many signs at one moment are one question, and none on a server without accounts", async () => {
  openTab();
  openTab("local");
  for (let times = 0; times < 5; times++) doubtSession();
  await settle();
  expect(countQuestions()).toBe(1);
});

test.each(["focus", "pageshow"])("%s of the window asks whether the session is valid", async (type) => {
  const account = openTab();
  said = makeInfo(null);
  window.dispatchEvent(new Event(type));
  await settle();
  expect(account.get()).toMatchObject({ person: null, notice: "ended" });
});

test("signing out in one tab signs out the others", async () => {
  const [one, other] = [openTab(), openTab()];
  said = makeInfo(null);
  await one.signOut();
  await settle();
  expect(other.get()).toMatchObject({ person: null, notice: "left" });
});

test("another person in one tab is the person of the others", async () => {
  const [one, other] = [openTab(), openTab()];
  said = makeInfo(makePerson("b"));
  one.enter(said);
  await settle();
  expect(other.get().person?.id).toBe("b");
});

test("a session that one tab finds ended is ended in all", async () => {
  const [one, other] = [openTab(), openTab()];
  said = makeInfo(null);
  await one.check();
  await settle();
  expect(other.get().person).toBeNull();
});

test("the end of the stream that one tab holds for all is a sign", async () => {
  let isHeld = false;
  const request = async (_name: string, _options: object, run: () => Promise<void>) => {
    if (isHeld) return new Promise(() => undefined);
    isHeld = true;
    return run();
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  let end = () => {};
  fetched.mockImplementation(async (asked: Request | string) => {
    if (typeof asked !== "string") return Response.json(said);
    return new Response(
      new ReadableStream({
        start(controller) {
          end = () => controller.close();
        },
      }),
    );
  });
  const [one, other] = [openTab(), openTab()];
  await settle();
  expect(fetched.mock.calls.filter(([asked]) => asked === "/api/documents/events")).toHaveLength(1);
  said = makeInfo(null);
  end();
  await settle();
  expect([one.get().person, other.get().person]).toEqual([null, null]);
  Reflect.deleteProperty(navigator, "locks");
});
