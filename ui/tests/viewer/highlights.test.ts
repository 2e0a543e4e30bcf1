import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findFirstRect,
  type Highlight,
  listOnPage,
  sortHighlights,
  splitByHighlights,
} from "../../src/viewer/highlights";

const tones = fc.constantFrom<Highlight["tone"]>("pin", "high", "medium", "low", "passage", "found");

function lit(
  key: string,
  start: number | null,
  end: number | null,
  tone: Highlight["tone"] = "pin",
  isChosen = false,
): Highlight {
  return { key, tone, isChosen, start, end, boxes: [], mark: null };
}

const letters = fc.string({ unit: fc.constantFrom("a", "é", "😀", "𝒜", " ", "\n", "e\u0301"), maxLength: 60 });
const spans = fc.array(fc.tuple(fc.nat(90), fc.nat(40), tones, fc.boolean()), { maxLength: 8 });

test("the pieces of a text are the text, whatever is lit in it", () => {
  fc.assert(
    fc.property(letters, fc.nat(30), spans, (text, start, some) => {
      const all = some.map(([from, long, tone, isChosen], at) => lit(`${at}`, from, from + long, tone, isChosen));
      expect(
        splitByHighlights(text, start, all)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test("every character is lit by exactly the marks whose span holds it, counted as the server counts", () => {
  fc.assert(
    fc.property(letters, fc.nat(30), spans, (text, start, some) => {
      const all = some.map(([from, long, tone], at) => lit(`${at}`, from, from + long, tone));
      let at = start;
      for (const piece of splitByHighlights(text, start, all)) {
        expect(piece.start).toBe(at);
        for (const _ of piece.text) {
          const holding = all.filter((each) => (each.start ?? 0) <= at && at < (each.end ?? 0));
          expect(new Set(piece.highlights)).toEqual(new Set(holding));
          at++;
        }
      }
    }),
  );
});

test("a mark behind characters beyond the first plane is not a letter off", () => {
  const found = splitByHighlights("😀😀 the 𝒜nswer", 100, [lit("pin", 107, 113)]);
  expect(found.map((piece) => [piece.text, piece.highlights.length])).toEqual([
    ["😀😀 the ", 0],
    ["𝒜nswer", 1],
  ]);
});

test("where marks overlap, the text is cut so that each part knows all that lie on it", () => {
  const all = [lit("a", 0, 6, "low"), lit("b", 4, 10, "high")];
  expect(
    splitByHighlights("0123456789", 0, all).map(({ text, highlights: lit }) => [text, lit.map((each) => each.key)]),
  ).toEqual([
    ["0123", ["a"]],
    ["45", ["a", "b"]],
    ["6789", ["b"]],
  ]);
});

test("a mark that has rectangles but no characters cuts nothing", () => {
  expect(splitByHighlights("words", 0, [lit("box", null, null)])).toHaveLength(1);
});

test("the chosen lies above all, the passage below all", () => {
  fc.assert(
    fc.property(fc.array(tones, { maxLength: 10 }), (some) => {
      const all = sortHighlights([
        lit("chosen", 0, 1, "low", true),
        ...some.map((tone, at) => lit(`${at}`, 0, 1, tone)),
      ]);
      expect(all.at(-1)?.key).toBe("chosen");
      const lastPassage = all.findLastIndex((each) => each.tone === "passage");
      const firstOther = all.findIndex((each) => each.tone !== "passage");
      expect(lastPassage).toBeLessThan(firstOther);
    }),
  );
});

test("the more important lies above, and equals keep their order", () => {
  const all = [lit("h", 0, 1, "high"), lit("l", 0, 1, "low"), lit("m1", 0, 1, "medium"), lit("m2", 0, 1, "medium")];
  expect(sortHighlights(all).map((each) => each.key)).toEqual(["l", "m1", "m2", "h"]);
});

test("a mark across a page break has rectangles on both pages and begins on the first", () => {
  const page = (number: number) => ({ page: number, width: 100, height: 200, rects: [[1, number, 3, 4]] as Rects });
  const across = { ...lit("pin", 0, 9), boxes: [page(8), page(7)] };
  expect(listOnPage([across], 8).map((each) => each.boxes.page)).toEqual([8]);
  expect(findFirstRect(across.boxes)).toMatchObject({ page: 7, rect: [1, 7, 3, 4] });
  expect(findFirstRect([])).toBeNull();
});

test("who goes through a page by the keyboard meets its marks in the order of reading, whatever lies above what", () => {
  const at = (top: number, left: number) => [{ page: 1, width: 9, height: 9, rects: [[left, top, 9, 9]] as Rects }];
  const low = { ...lit("low", 0, 1, "low"), boxes: at(5, 0) };
  const first = { ...lit("first", 0, 1, "pin", true), boxes: at(1, 4) };
  const before = { ...lit("before", 0, 1, "high"), boxes: at(1, 2) };
  const found = listOnPage(sortHighlights([low, first, before]), 1);
  expect(found.map((each) => each.lit.key)).toEqual(["before", "first", "low"]);
  expect(found.toSorted((a, b) => a.height - b.height).at(-1)?.lit.key).toBe("first");
});

type Rects = [number, number, number, number][];
