import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DocumentSummary } from "../../src/library/DocumentSummary";
import { summaryStore } from "../../src/library/summaryStore";
import { preferencesStore } from "../../src/settings/preferences";
import { type Part, told } from "../conversation/fixtures";
import { type Drawn, drawn } from "../conversation/render";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const PARTS: Part[] = [["", "The ferry leaves at seven.", [1]]];
let page: Drawn;

/** A response with these events. */
function stream(events: readonly object[]): Response {
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
}

const press = (label: string) =>
  act(async () => {
    const buttons = [...page.page.querySelectorAll("button")];
    const button = buttons.find(({ textContent }) => textContent?.includes(label));
    button?.focus();
    button?.click();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

beforeEach(() => {
  page = drawn(<DocumentSummary document="d1" question="Summarise it." language="en" />);
});
afterEach(() => {
  page.leave();
  summaryStore.set({});
});

test("a summary is asked for about the document alone, and shown where the button was", async () => {
  preferencesStore.set((now) => ({ ...now, chatModel: "scripted:parrot" }));
  fetched.mockResolvedValueOnce(stream(told(PARTS)));
  await press("Summarise it");
  const [path, { body }] = fetched.mock.lastCall as [string, { body: string }];
  expect(path).toBe("/api/search");
  expect(JSON.parse(body)).toMatchObject({
    ...{ message: "Summarise it.", documents: ["d1"], focusMode: "documents", stream: true },
    chatModel: "scripted:parrot",
  });
  expect(page.page.querySelector(".answer")?.textContent).toContain("The ferry leaves at seven.");
  expect(page.page.querySelectorAll(".chip")).toHaveLength(1);
  expect(document.activeElement).toBe(page.page.querySelector(".card-summary"));
  page.leave();
  page = drawn(<DocumentSummary document="d1" question="Summarise it." language="en" />);
  expect(page.page.querySelectorAll(".chip")).toHaveLength(1); // it is still there, and was asked for once
  expect(fetched).toHaveBeenCalledOnce();
});

test("a summary that cannot be had says why and can be asked for again", async () => {
  fetched.mockResolvedValueOnce(stream(told(PARTS).slice(0, 2)));
  await press("Summarise it");
  expect(page.page.querySelector("[role=alert]")).not.toBeNull();
  fetched.mockResolvedValueOnce(stream(told(PARTS)));
  await press("Try again");
  expect(page.page.querySelector("[role=alert]")).toBeNull();
  expect(page.page.querySelector(".answer")?.textContent).toContain("The ferry leaves at seven.");
  expect(document.activeElement).toBe(page.page.querySelector(".card-summary"));
});
