import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "../render";

const { settings } = vi.hoisted(() => {
  const settings = { search_url_from: "" };
  vi.stubGlobal("fetch", async () => Response.json(settings));
  return { settings };
});
const { FocusSwitch } = await import("../../../src/conversation/composer/FocusSwitch");
const { focusStore } = await import("../../../src/conversation/composer/questionOptions");

let shown: Drawn;

/** The switch with its menu open. */
async function opened(search_url_from: string): Promise<HTMLElement[]> {
  settings.search_url_from = search_url_from;
  shown = drawn(<FocusSwitch />);
  const menu = shown.page.querySelector("[role=menu]");
  await act(async () => {
    menu?.dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  });
  await act(async () => {});
  return [...shown.page.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

beforeEach(() => focusStore.set("all"));
afterEach(() => shown.leave());

test("a report can be asked for", async () => {
  const items = await opened("file");
  const research = items.find((each) => each.textContent?.startsWith("Report"));
  expect(research?.textContent).toContain("A report: an outline");
  act(() => research?.click());
  expect(focusStore.get()).toBe("research");
});

test("without a search engine the web cannot be chosen, and it says what is missing and where to set it", async () => {
  const items = await opened("");
  await act(() => vi.waitFor(() => expect(shown.page.querySelector("a")).not.toBeNull()));
  const web = items.find((each) => each.textContent?.startsWith("Web"));
  expect(web?.getAttribute("aria-disabled")).toBe("true");
  expect(web?.textContent).toContain("Needs the address of a search engine");
  act(() => web?.click());
  expect(focusStore.get()).toBe("all");
  expect(shown.page.querySelector("a")?.getAttribute("href")).toBe("/settings");
});

test("without a search engine a report is made from the documents alone, and says so", async () => {
  const items = await opened("");
  await act(() => vi.waitFor(() => expect(shown.page.querySelector("a")).not.toBeNull()));
  const research = items.find((each) => each.textContent?.startsWith("Report"));
  expect(research?.textContent).toContain("from your documents alone");
  act(() => research?.click());
  expect(focusStore.get()).toBe("research");
});
