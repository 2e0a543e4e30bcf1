import { act, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DocumentList } from "../../src/library/DocumentList";
import { documentListStore, EVERYTHING } from "../../src/library/documentListStore";
import type { Document } from "../../src/library/documents";
import type { Selection } from "../../src/library/selection";
import { type Drawn, drawn } from "../conversation/render";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const KEPT = Array.from({ length: 60 }, (_, index) => ({
  ...{ id: `d${index}`, title: `Paper ${index}`, name: `${index}.txt`, kind: "text", status: "ready" },
  ...{ libraries: ["default"], problems: [], notes: [], tags: [], folder: "", pages: 0, bytes: 9, created: 60 - index },
})) as unknown as Document[];

let page: Drawn;
let chosen: Selection;

function Chosen() {
  const [now, choose] = useState<Selection>(new Map());
  chosen = now;
  const { documents } = documentListStore.get();
  const nothing = () => undefined;
  return (
    <DocumentList
      {...{ documents, chosen, isFiltered: false, onChoose: choose }}
      {...{ onEverything: nothing, onFolder: nothing, onTag: nothing }}
    />
  );
}

beforeEach(async () => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  fetched.mockImplementation(async ({ url }: Request) => {
    const query = new URL(url).searchParams;
    const from = Number(query.get("before") ?? 0);
    const end = from + Number(query.get("limit"));
    const next = end < KEPT.length ? String(end) : null;
    return Response.json({ documents: KEPT.slice(from, end), total: KEPT.length, next });
  });
  await documentListStore.load(EVERYTHING);
  page = drawn(<Chosen />);
});
afterEach(() => {
  page.leave();
  documentListStore.clear();
});

const press = async (element: Element | null | undefined) => act(async () => (element as HTMLElement).click());
const findBox = () => page.page.querySelector<HTMLInputElement>(".select-all input");
const findRest = () => page.page.querySelector(".select-all .plain");

test("beyond the loaded documents all that match are selected, and all are left at once", async () => {
  expect(findRest()).toBeNull();
  await press(findBox());
  expect(chosen.size).toBe(50);
  expect(findRest()?.textContent).toBe("Select all 60 documents");
  await press(findRest());
  expect([...chosen.keys()]).toEqual(KEPT.map(({ id }) => id));
  expect(findRest()).toBeNull();
  expect(document.activeElement).toBe(findBox());
  await press(findBox());
  expect(chosen.size).toBe(0);
});

test("when the rest cannot be loaded the selection stays, and the reason is shown", async () => {
  await press(findBox());
  fetched.mockRejectedValue(new TypeError("no line"));
  await press(findRest());
  expect(chosen.size).toBe(50);
  expect(page.page.querySelector("[role=alert]")).not.toBeNull();
  expect(findRest()).not.toBeNull();
});
