import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { SnapshotBar } from "../../src/viewer/SnapshotBar";
import type { Document } from "../../src/viewer/useDocument";
import { type Drawn, drawn } from "../conversation/render";

let shown: Drawn | null = null;
afterEach(() => shown?.leave());

const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).getTime() / 1000;

function page(more: Partial<Document>): Document {
  return { id: "w2", url: "https://www.example.org/dam", fetched: at(15), snapshots: [], ...more } as Document;
}

function show(document: Document, onOther = vi.fn()): HTMLElement {
  shown = drawn(<SnapshotBar document={document} quote="The dam" onOther={onOther} />);
  return shown.page;
}

test("a page of the web says which day's copy it is, with the live page at the same words beside it", () => {
  const line = show(page({}));
  expect(line.querySelector("p")?.textContent).toBe("As it was on November 15, 2026 · example.org");
  const live = line.querySelector("a");
  expect(live?.getAttribute("href")).toBe("https://www.example.org/dam#:~:text=The%20dam");
  expect([live?.textContent, live?.target, live?.rel]).toEqual(["Live page", "_blank", "noreferrer"]);
});

test("a file of one's own says nothing of the web", () => {
  expect(show(page({ url: null })).innerHTML).toBe("");
  shown?.leave();
  expect(show(page({ url: "javascript:alert(1)" })).innerHTML).toBe("");
});

test("copies of other days can be opened, the newest first, and two of one day are told apart", () => {
  const onOther = vi.fn();
  const snapshots = [
    { document: "w1", fetched: at(3) },
    { document: "w2", fetched: at(15) },
    { document: "w3", fetched: at(15, 18) },
  ];
  const line = show(page({ snapshots }), onOther);
  act(() => {
    line.querySelector("[role=menu]")?.dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  });
  const items = [...line.querySelectorAll<HTMLButtonElement>("[role=menuitemradio]")];
  expect(new Set(items.map((each) => each.textContent)).size).toBe(3);
  expect(items.map((each) => each.getAttribute("aria-checked"))).toEqual(["false", "true", "false"]);
  expect(items[2]?.textContent).toContain("November 3, 2026");
  act(() => items[2]?.click());
  expect(onOther).toHaveBeenCalledExactlyOnceWith("w1");
});
