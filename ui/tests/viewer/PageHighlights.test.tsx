import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import type { Highlight } from "../../src/viewer/highlights";
import { PageHighlights } from "../../src/viewer/PageHighlights";
import type { Mark } from "../../src/viewer/viewerStore";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const boxes = { page: 3, width: 200, height: 400, rects: [[20, 40, 120, 60] as Rect, [20, 64, 60, 80] as Rect] };
const mark: Mark = {
  key: "m1",
  document: "d",
  title: "<img onerror=alert(1)>",
  kind: "pdf",
  tone: "pin",
  n: 4,
  page: 3,
  label: "",
  start: 1,
  end: 9,
  boxes: [boxes],
  quote: "words",
  passage: null,
};
const lit: Highlight = { key: "m1", tone: "pin", isChosen: false, start: 1, end: 9, boxes: [boxes], mark };

type Rect = [number, number, number, number];

function shown(all: Highlight[], page: number, onChoose: (mark: Mark) => void = () => {}): HTMLElement {
  const place = document.createElement("div");
  act(() => createRoot(place).render(<PageHighlights highlights={all} page={page} pulse={0} onChoose={onChoose} />));
  return place;
}

test("a mark has a rectangle for each line, in percent of its page", () => {
  const rects = [...shown([lit], 3).querySelectorAll<HTMLElement>("[data-mark=m1]")];
  expect(rects.map(({ style }) => [style.left, style.top, style.width, style.height])).toEqual([
    ["10.0000%", "10.0000%", "50.0000%", "5.0000%"],
    ["10.0000%", "16.0000%", "20.0000%", "4.0000%"],
  ]);
});

test("a mark is one button for who listens, named by its citation, its title and its page", () => {
  const named = shown([lit], 3).querySelectorAll("button:not([aria-hidden])");
  expect(named).toHaveLength(1);
  expect(named[0]?.getAttribute("aria-label")).toBe("Citation 4, <img onerror=alert(1)>, page 3");
});

test("pressing any line of a mark chooses it", () => {
  const choose = vi.fn();
  const place = shown([lit], 3, choose);
  for (const rect of place.querySelectorAll<HTMLElement>("button")) act(() => rect.click());
  expect(choose.mock.calls).toEqual([[mark], [mark]]);
});

test("another page shows nothing of it", () => {
  expect(shown([lit], 4).querySelector("[data-mark]")).toBeNull();
});

test("the passage around the chosen words is one bar beside its lines", () => {
  const place = shown([{ ...lit, key: "passage", tone: "passage", mark: null }], 3);
  expect(place.querySelectorAll("button")).toHaveLength(0);
  const bars = [...place.querySelectorAll<HTMLElement>("[data-tone=passage]")];
  expect(bars.map(({ style }) => [style.top, style.height])).toEqual([["10.0000%", "10.0000%"]]);
});

test.each(["head", "found"] as const)("a %s is lit and cannot be pressed", (tone) => {
  const place = shown([{ ...lit, key: tone, tone, mark: null }], 3);
  expect(place.querySelectorAll("button")).toHaveLength(0);
  expect(place.querySelectorAll(`[data-tone=${tone}]`)).toHaveLength(2);
});
