import { beforeEach, expect, test, vi } from "vitest";
import { type AccountInfo, type AccountStore, createAccountStore } from "../../src/account/accountStore";
import { restoreDraft, saveDraft } from "../../src/conversation/composer/questionOptions";
import { conversationListStore } from "../../src/conversations/conversationListStore";
import { preferencesStore } from "../../src/settings/preferences";
import { storageOwner } from "../../src/state/personalData";
import { makeInfo, makePerson } from "./fixtures";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

let said: AccountInfo;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  storageOwner.set("");
  said = makeInfo(null);
  fetched.mockReset();
  fetched.mockImplementation(async ({ url }: Request) =>
    url.endsWith("/api/account") ? Response.json(said) : new Response(null, { status: 204 }),
  );
});

test("a server without accounts lets everybody do everything, and asking it changes nothing", async () => {
  const account = createAccountStore("local");
  const before = account.get();
  said = makeInfo(makePerson("local", "owner"), { mode: "local" });
  await account.start();
  expect(account.get()).toBe(before);
  expect(before).toMatchObject({ isKnown: true, scopes: ["read", "ask", "write", "admin"] });
});

test("a server with accounts is asked before anything is shown", async () => {
  const account = createAccountStore("team");
  expect(account.get().isKnown).toBe(false);
  said = makeInfo(makePerson("a"));
  await account.start();
  expect(account.get()).toMatchObject({ isKnown: true, person: { id: "a" } });
});

test("a server that does not answer at first is asked again", async () => {
  vi.useFakeTimers();
  const account = createAccountStore("team");
  fetched.mockRejectedValueOnce(new TypeError("no line"));
  const started = account.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(account.get()).toMatchObject({ isKnown: false, isDown: true });
  await vi.advanceTimersByTimeAsync(1000);
  await started;
  expect(account.get()).toMatchObject({ isKnown: true, isDown: false });
  vi.useRealTimers();
});

test("when the session ends, what was shown is gone and what was written stays for its person", async () => {
  const account = createAccountStore("team");
  account.enter(makeInfo(makePerson("a")));
  saveDraft("c1", "half a question");
  conversationListStore.set((now) => ({ ...now, words: "secret" }));
  await account.check();
  expect(account.get()).toMatchObject({ person: null, notice: "ended", lastName: "Person a" });
  expect(conversationListStore.get().words).toBe("");
  account.enter(makeInfo(makePerson("b")));
  expect(restoreDraft("c1")).toBe("");
  account.enter(makeInfo(makePerson("a")));
  expect(restoreDraft("c1")).toBe("half a question");
});

test("signing out removes drafts, and keeps the settings of each person apart", async () => {
  const account = createAccountStore("team");
  account.enter(makeInfo(makePerson("a")));
  saveDraft("c1", "half a question");
  preferencesStore.set((now) => ({ ...now, aboutMe: "I keep bees." }));
  await account.signOut();
  expect(account.get()).toMatchObject({ person: null, notice: "left", lastName: "" });
  expect(Object.values({ ...sessionStorage }).join()).not.toContain("question");
  account.enter(makeInfo(makePerson("b")));
  expect(preferencesStore.get().aboutMe).toBe("");
  account.enter(makeInfo(makePerson("a")));
  expect(preferencesStore.get().aboutMe).toBe("I keep bees.");
  expect(restoreDraft("c1")).toBe("");
});

test("a server that is away for a moment signs nobody out", async () => {
  const account = createAccountStore("team");
  account.enter(makeInfo(makePerson("a")));
  fetched.mockRejectedValueOnce(new TypeError("no line"));
  await account.check();
  expect(account.get().person?.id).toBe("a");
});

test("an answer from before a sign-in does not sign out the one who has just signed in", async () => {
  const account = createAccountStore("team");
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const checked = account.check();
  account.enter(makeInfo(makePerson("a")));
  answer(Response.json(makeInfo(null)));
  await checked;
  expect(account.get().person?.id).toBe("a");
});

test.each([
  ["signed out", "left", (account: AccountStore) => account.signOut()],
  ["deleted", "deleted", (account: AccountStore) => account.deleteAccount("a password")],
] as const)("an account that is %s says so, though a check hears of it before the answer", async (_, notice, leave) => {
  const account = createAccountStore("team");
  account.enter(makeInfo(makePerson("a")));
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const left = leave(account);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await account.check();
  expect(account.get().person?.id).toBe("a");
  answer(new Response(null, { status: 204 }));
  await left;
  expect(account.get()).toMatchObject({ person: null, notice, lastName: "" });
});

test("a wrong password deletes nothing, and a session that ended meanwhile is found", async () => {
  const account = createAccountStore("team");
  account.enter(makeInfo(makePerson("a")));
  said = makeInfo(makePerson("a"));
  fetched.mockImplementationOnce(async () => Response.json({}, { status: 401 }));
  await expect(account.deleteAccount("wrong")).rejects.toMatchObject({ status: 401 });
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  expect(account.get().person?.id).toBe("a");
  said = makeInfo(null);
  fetched.mockImplementationOnce(async () => Response.json({}, { status: 401 }));
  await expect(account.deleteAccount("wrong")).rejects.toMatchObject({ status: 401 });
  await vi.waitFor(() => expect(account.get()).toMatchObject({ person: null, notice: "ended" }));
});
