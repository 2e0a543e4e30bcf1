import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeFitScale,
  computePixelRatio,
  computeReadingScale,
  computeReveal,
  findCurrentPage,
  findNearPages,
  findPageAt,
  findRevealed,
  GAP,
  joinColumns,
  layOutPages,
  type Rect,
  type Rotation,
  rotateRect,
  rotateSize,
  type Size,
  toPercent,
} from "../../src/viewer/pageGeometry";

const turns = fc.constantFrom<Rotation>(0, 90, 180, 270);
const length = fc.double({ min: 20, max: 3000, noNaN: true });
const sizes = fc.record({ width: length, height: length });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const scales = fc.double({ min: 0.1, max: 8, noNaN: true });

/** A page with a rectangle somewhere on it. */
const boxed = fc.tuple(sizes, share, share, share, share).map(([size, a, b, c, d]): [Size, Rect] => {
  const [left, right] = [Math.min(a, b) * size.width, Math.max(a, b) * size.width];
  const [top, bottom] = [Math.min(c, d) * size.height, Math.max(c, d) * size.height];
  return [size, [left, top, right, bottom]];
});

/** Where a point lands when its page is turned clockwise about its middle, by the rotation itself. */
function rotated([x, y]: [number, number], size: Size, turn: Rotation): [number, number] {
  const angle = (turn * Math.PI) / 180;
  const after = rotateSize(size, turn);
  const [dx, dy] = [x - size.width / 2, y - size.height / 2];
  return [
    after.width / 2 + dx * Math.cos(angle) - dy * Math.sin(angle),
    after.height / 2 + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
}

test("a turned rectangle covers the corners where turning the page takes them", () => {
  fc.assert(
    fc.property(boxed, turns, ([size, rect], turn) => {
      const [left, top, right, bottom] = rotateRect(rect, size, turn);
      const a = rotated([rect[0], rect[1]], size, turn);
      const b = rotated([rect[2], rect[3]], size, turn);
      expect(left).toBeCloseTo(Math.min(a[0], b[0]), 6);
      expect(right).toBeCloseTo(Math.max(a[0], b[0]), 6);
      expect(top).toBeCloseTo(Math.min(a[1], b[1]), 6);
      expect(bottom).toBeCloseTo(Math.max(a[1], b[1]), 6);
    }),
  );
});

test("four quarter turns bring a rectangle back", () => {
  fc.assert(
    fc.property(boxed, ([size, rect]) => {
      let [now, at]: [Size, Rect] = [size, rect];
      for (let times = 0; times < 4; times++) [now, at] = [rotateSize(now, 90), rotateRect(at, now, 90)];
      for (const edge of [0, 1, 2, 3] as const) expect(at[edge]).toBeCloseTo(rect[edge], 6);
    }),
  );
});

test("at any zoom and turn, percentages put a rectangle within two pixels of its points", () => {
  fc.assert(
    fc.property(boxed, turns, scales, ([size, rect], turn, scale) => {
      const turned = rotateSize(size, turn);
      const at = rotateRect(rect, size, turn);
      const css = toPercent(at, turned);
      const { widths, heights } = layOutPages([size], scale, turn);
      const pixels = (percent: string, of: number | undefined) => (Number.parseFloat(percent) / 100) * (of ?? 0);
      expect(Math.abs(pixels(css.left, widths[0]) - at[0] * scale)).toBeLessThan(2);
      expect(Math.abs(pixels(css.top, heights[0]) - at[1] * scale)).toBeLessThan(2);
      expect(Math.abs(pixels(css.width, widths[0]) - (at[2] - at[0]) * scale)).toBeLessThan(2);
      expect(Math.abs(pixels(css.height, heights[0]) - (at[3] - at[1]) * scale)).toBeLessThan(2);
    }),
  );
});

test("a rectangle that hangs over its page is cut at the edge", () => {
  expect(toPercent([-10, 50, 250, 150], { width: 200, height: 100 })).toEqual({
    left: "0.0000%",
    top: "50.0000%",
    width: "100.0000%",
    height: "50.0000%",
  });
});

test("pages lie below each other and never touch", () => {
  fc.assert(
    fc.property(fc.array(sizes, { minLength: 1, maxLength: 40 }), scales, turns, (all, scale, turn) => {
      const { tops, heights, height } = layOutPages(all, scale, turn);
      for (let at = 1; at < tops.length; at++) {
        expect(tops[at]).toBe((tops[at - 1] ?? 0) + (heights[at - 1] ?? 0) + GAP);
      }
      expect(height).toBeGreaterThan((tops.at(-1) ?? 0) + (heights.at(-1) ?? 0));
    }),
  );
});

test("the pages near the view are all that touch it, and few of a great many", () => {
  const layout = layOutPages(
    Array.from({ length: 2000 }, () => ({ width: 595, height: 842 })),
    1.3,
    0,
  );
  fc.assert(
    fc.property(fc.double({ min: 0, max: layout.height, noNaN: true }), (top) => {
      const [first, last] = findNearPages(layout, top, 900);
      for (let at = 0; at < 2000; at++) {
        const [from, to] = [layout.tops[at] ?? 0, (layout.tops[at] ?? 0) + (layout.heights[at] ?? 0)];
        if (to > top && from < top + 900) expect(at >= first && at <= last).toBe(true);
      }
      expect(last - first).toBeLessThan(6);
    }),
    { numRuns: 50 },
  );
});

test("a document without pages has none near", () => {
  expect(findNearPages(layOutPages([], 1, 0), 0, 900)).toEqual([0, -1]);
});

test("the page at a height is the last that begins above it", () => {
  fc.assert(
    fc.property(fc.array(sizes, { minLength: 1, maxLength: 60 }), scales, fc.nat(200_000), (all, scale, y) => {
      const layout = layOutPages(all, scale, 0);
      expect(findPageAt(layout, y)).toBe(
        Math.max(
          0,
          layout.tops.findLastIndex((top) => top <= y),
        ),
      );
    }),
  );
});

test("at the end the last page is the one that is read, however short it is", () => {
  const layout = layOutPages(
    [
      { width: 600, height: 2000 },
      { width: 600, height: 100 },
    ],
    1,
    0,
  );
  expect(findCurrentPage(layout, layout.height - 900, 900)).toBe(1);
  expect(findCurrentPage(layout, 0, 900)).toBe(0);
});

test("fitted to the width a page is no wider than the view, and the whole page lies in it when that is asked", () => {
  fc.assert(
    fc.property(sizes, turns, length, length, (size, turn, width, height) => {
      fc.pre(width > 200 && height > 200);
      const view = { width, height };
      const { width: w, height: h } = rotateSize(size, turn);
      expect(w * computeFitScale([size], turn, view, "width")).toBeLessThanOrEqual(Math.max(width, w * 0.1) + 1e-6);
      const whole = computeFitScale([size], turn, view, "page");
      expect(h * whole).toBeLessThanOrEqual(Math.max(height, h * 0.1) + 1e-6);
    }),
  );
});

test("one wide page among many does not make the others small", () => {
  const pages = [...Array.from({ length: 9 }, () => ({ width: 600, height: 800 })), { width: 2400, height: 800 }];
  expect(computeFitScale(pages, 0, { width: 632, height: 900 }, "width")).toBe(1);
});

test("a canvas is as sharp as the screen, up to what memory bears", () => {
  expect(computePixelRatio({ width: 800, height: 1000 }, 2)).toBe(2);
  fc.assert(
    fc.property(sizes, scales, (size, ratio) => {
      const sharp = computePixelRatio({ width: size.width * 8, height: size.height * 8 }, ratio);
      expect(size.width * 8 * sharp * size.height * 8 * sharp).toBeLessThanOrEqual(16_000_001);
    }),
  );
});

test("lines that go down the page are one column, and a line that stands higher begins the next", () => {
  const lines: Rect[] = [
    [20, 10, 90, 20],
    [18, 22, 80, 32],
    [110, 10, 190, 20],
    [110, 22, 150, 32],
  ];
  expect(joinColumns(lines)).toEqual([
    [18, 10, 90, 32],
    [110, 10, 190, 32],
  ]);
  expect(joinColumns([])).toEqual([]);
});

test("a passage comes into view whole where it fits, else the words in it, else their beginning", () => {
  // At a third of the view all of it is seen.
  expect(computeReveal([500, 520], [480, 600], 600, 300)).toBe(300);
  // A long passage is moved up until its end is seen.
  expect(computeReveal([500, 520], [480, 1000], 600, 300)).toBe(1016 - 600);
  // A passage that begins far above the words is shown from its beginning.
  expect(computeReveal([900, 920], [500, 930], 600, 700)).toBe(484);
  expect(computeReveal([500, 1000], [100, 2000], 600, 300)).toBe(1016 - 600);
  expect(computeReveal([500, 1500], [100, 2000], 600, 300)).toBe(484);
});

test("lines that do not fit into the view are seen from their first column on", () => {
  const lines: Rect[] = [
    [20, 900, 220, 912],
    [20, 916, 200, 928],
    [260, 40, 470, 52],
  ];
  expect(findRevealed(lines, { width: 600, height: 1000 })).toEqual([20, 40, 470, 928]);
  expect(findRevealed(lines, { width: 400, height: 1000 })).toEqual([20, 900, 220, 928]);
  expect(findRevealed(lines, { width: 600, height: 500 })).toEqual([20, 900, 220, 928]);
  // A page of whole pixels may be a little wider than the view.
  expect(findRevealed(lines, { width: 481.5, height: 1000 })).toEqual([20, 40, 470, 928]);
});

test("on a phone the lines of a passage fill the screen, and elsewhere not", () => {
  const lines: Rect[] = [
    [60, 100, 535, 113],
    [60, 116, 300, 129],
  ];
  const fit = 0.6;
  expect(computeReadingScale(lines, [], { width: 390, height: 700 }, fit)).toBeCloseTo(358 / 475);
  // No line is cut off, however small it becomes: the quote stands above the page.
  expect(computeReadingScale([[60, 100, 800, 110]], [], { width: 390, height: 700 }, 0.4)).toBeCloseTo(358 / 740);
  // Those around them are whole too, if they are little longer.
  expect(computeReadingScale(lines, [[60, 84, 560, 97]], { width: 390, height: 700 }, fit)).toBeCloseTo(358 / 500);
  expect(computeReadingScale([[60, 100, 300, 113]], lines, { width: 390, height: 700 }, fit)).toBeCloseTo(358 / 240);
  // Two columns that would become too small fill the screen one by one.
  const columns: Rect[] = [
    [40, 600, 270, 608],
    [310, 60, 530, 68],
  ];
  expect(computeReadingScale(columns, [], { width: 390, height: 700 }, fit)).toBeCloseTo(358 / 230);
  expect(computeReadingScale(lines, [], { width: 1000, height: 700 }, fit)).toBe(fit);
  expect(computeReadingScale([], [], { width: 390, height: 700 }, fit)).toBe(fit);
  // A narrow column fills the screen, but its letters do not become huge.
  expect(computeReadingScale([[60, 100, 300, 113]], [], { width: 390, height: 700 }, fit)).toBeCloseTo(358 / 240);
  expect(computeReadingScale([[60, 100, 80, 113]], [], { width: 390, height: 700 }, fit) * 13).toBeCloseTo(22);
});
