import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import ConversationList from "../../src/conversations/ConversationList";
import { conversationListStore, type Summary } from "../../src/conversations/conversationListStore";
import { chosenLanguage } from "../../src/i18n";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  return fetched;
});

const said = (id: string, title: string, excerpt = ""): Summary => ({
  id,
  title,
  excerpt,
  messages: 2,
  created: Date.now() / 1000,
  updated: Date.now() / 1000,
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  conversationListStore.set((now) => ({ ...now, words: "", conversations: [], problem: null }));
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

async function show(conversations: Summary[]) {
  fetched.mockImplementation(async () => Response.json({ conversations, total: conversations.length, next: null }));
  await act(async () => root.render(<ConversationList />));
  return place.textContent ?? "";
}

test("conversations stand under their day and lead to where they are", async () => {
  expect(await show([said("c1", "Energy prices")])).toContain("TodayEnergy prices2 questions");
  expect(place.querySelector(".conversation-title")?.getAttribute("href")).toBe("/c/c1");
});

test("a person who has asked nothing is told where questions will be", async () => {
  expect(await show([])).toContain("No conversations yet.");
});

test("the words of a search are marked where they were found", async () => {
  conversationListStore.set((now) => ({ ...now, words: "energie" }));
  await show([said("c1", "Prices", "… le prix de l’énergie augmente …")]);
  expect([...place.querySelectorAll("mark")].map((each) => each.textContent)).toEqual(["énergie"]);
});

test("a server that is gone is said, with a way to try again", async () => {
  fetched.mockRejectedValue(new TypeError("no line"));
  await act(async () => root.render(<ConversationList />));
  expect(place.querySelector("[role=alert]")?.textContent).toContain("Try again");
});

test("when the server is back the list comes by itself", async () => {
  vi.useFakeTimers();
  fetched.mockRejectedValue(new TypeError("no line"));
  await act(async () => root.render(<ConversationList />));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(place.querySelector("[role=alert]")).not.toBeNull();
  const conversations = [said("c1", "Energy prices")];
  fetched.mockImplementation(async () => Response.json({ conversations, total: 1, next: null }));
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  expect(place.querySelector("[role=alert]")).toBeNull();
  expect(place.textContent).toContain("Energy prices");
  vi.useRealTimers();
});

test("a refusal is not tried again by itself", async () => {
  vi.useFakeTimers();
  fetched.mockClear();
  fetched.mockImplementation(async () => Response.json({ error: { code: "denied" } }, { status: 403 }));
  await act(async () => root.render(<ConversationList />));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(fetched).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test("a new title is shown at once, and the old one again when the server does not take it", async () => {
  conversationListStore.set((now) => ({ ...now, conversations: [said("c1", "Old")] }));
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementationOnce(() => new Promise<Response>((resolve) => (answer = resolve)));
  const renamed = conversationListStore.rename("c1", "New");
  expect(conversationListStore.get().conversations[0]?.title).toBe("New");
  answer(Response.json({ error: { code: "not_found", message: "Gone.", hint: "" } }, { status: 404 }));
  await expect(renamed).rejects.toMatchObject({ code: "not_found" });
  expect(conversationListStore.get().conversations[0]?.title).toBe("Old");
});
