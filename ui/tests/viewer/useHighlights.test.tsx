import { expect, test } from "vitest";
import type { Highlight } from "../../src/viewer/highlights";
import { useHighlights } from "../../src/viewer/useHighlights";
import type { Mark } from "../../src/viewer/viewerStore";
import { drawn } from "../conversation/render";

const BOXES = [{ page: 1, width: 200, height: 400, rects: [[20, 40, 120, 60] as [number, number, number, number]] }];
const HEADS = [{ page: 1, width: 200, height: 400, rects: [[20, 20, 120, 30] as [number, number, number, number]] }];
const NONE: Highlight[] = [];

function mark(key: string): Mark {
  const about = {
    document: "d",
    title: "",
    kind: "pdf",
    tone: "pin",
    n: 1,
    page: 1,
    label: "",
    quote: "",
    passage: null,
  } as const;
  return { ...about, key, start: 1, end: 9, boxes: BOXES, heads: HEADS };
}

/** The tones that are lit while a mark is the chosen one. */
function tones(marks: Mark[], chosen: string | null): string[] {
  let found: Highlight[] = [];
  function Looking() {
    found = useHighlights("d", marks, chosen, true, NONE);
    return null;
  }
  drawn(<Looking />).leave();
  return found.map(({ tone, isChosen }) => (isChosen ? `chosen ${tone}` : tone));
}

const MARKS = [mark("a"), mark("b")];

test("the heads of a table are lit with the row that is chosen, below it, and not with the others", () => {
  expect(tones(MARKS, "b")).toEqual(["head", "pin", "chosen pin"]);
  expect(tones(MARKS, null)).toEqual(["pin", "pin"]);
});
