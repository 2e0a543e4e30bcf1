import { afterEach, expect, test, vi } from "vitest";
import { Toolbar } from "../../src/viewer/Toolbar";
import { type Drawn, drawn } from "../conversation/render";

let shown: Drawn | null = null;
afterEach(() => shown?.leave());

function showCount(citation: { n: number; place: number; count: number }): HTMLElement | null {
  const given = { title: "The dam", page: 1, sheets: [], zoom: "width" as const, scale: 1, panelLabel: "Panel" };
  const acts = { onPage: vi.fn(), onStep: vi.fn(), onZoom: vi.fn(), onPanel: vi.fn(), onFind: null, onClose: null };
  shown = drawn(
    <Toolbar {...given} {...acts} citation={citation} isPanelOpen={false} isFinding={false} actions={[]} />,
  );
  return shown.page.querySelector<HTMLElement>(".viewer-bar-count");
}

/** The texts of the counter: where there is room, and on a phone. */
function readTexts(count: HTMLElement | null): (string | null)[] {
  return [...(count?.children ?? [])].map((each) => each.textContent);
}

test("the counter has the number of the chip, and its place among all as a hint", () => {
  const count = showCount({ n: 6, place: 4, count: 5 });
  expect(readTexts(count)).toEqual(["Citation 6", "6"]);
  expect(count?.title).toBe("4 of 5 citations");
});

test("without a chosen citation their number is told", () => {
  expect(readTexts(showCount({ n: 0, place: 0, count: 5 }))).toEqual(["5 citations", "–"]);
});
