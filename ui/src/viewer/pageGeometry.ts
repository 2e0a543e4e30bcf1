/** The layout of pages below each other, and rectangles on pages that may be rotated. */

export type Rotation = 0 | 90 | 180 | 270;
export type Rect = readonly [left: number, top: number, right: number, bottom: number];

export interface Size {
  width: number;
  height: number;
}

/** Pages below each other. `tops`, `widths` and `heights` are whole pixels, so that no page is blurred. */
export interface Layout {
  tops: number[];
  widths: number[];
  heights: number[];
  width: number;
  height: number;
}

export const GAP = 12;
export const MARGIN = 16;
const MIN_SCALE = 0.1;
const MAX_SCALE = 8;
const MAX_FIT_SCALE = 2; // pixels per point: a page as wide as a large screen is too large to read

/** Return the size of a rotated page. */
export function rotateSize({ width, height }: Size, turn: Rotation): Size {
  return turn % 180 ? { width: height, height: width } : { width, height };
}

/** Rotate a rectangle together with its page, clockwise. */
export function rotateRect([left, top, right, bottom]: Rect, { width, height }: Size, turn: Rotation): Rect {
  switch (turn) {
    case 0:
      return [left, top, right, bottom];
    case 90:
      return [height - bottom, left, height - top, right];
    case 180:
      return [width - right, height - bottom, width - left, height - top];
    case 270:
      return [top, width - right, bottom, width - left];
  }
}

/** Return a rectangle in percent of its page, for CSS; what is outside of the page is cut off. */
export function toPercent([left, top, right, bottom]: Rect, { width, height }: Size) {
  const [x, y] = [clampShare(left / width), clampShare(top / height)];
  const [w, h] = [clampShare(right / width) - x, clampShare(bottom / height) - y];
  return {
    left: formatPercent(x),
    top: formatPercent(y),
    width: formatPercent(Math.max(0, w)),
    height: formatPercent(Math.max(0, h)),
  };
}

/** Lay out pages of these sizes (in points) below each other, at a scale in pixels per point. */
export function layOutPages(sizes: readonly Size[], scale: number, turn: Rotation): Layout {
  const made: Layout = { tops: [], widths: [], heights: [], width: 0, height: MARGIN };
  for (const size of sizes) {
    const { width, height } = rotateSize(size, turn);
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    made.tops.push(made.height);
    made.widths.push(w);
    made.heights.push(h);
    made.width = Math.max(made.width, w);
    made.height += h + GAP;
  }
  made.height += MARGIN - (sizes.length ? GAP : 0);
  return made;
}

/** Find the page at this height; a gap belongs to the page above it. */
export function findPageAt({ tops }: Layout, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Find the first and the last page within `reach` pixels of the view. */
export function findNearPages(layout: Layout, top: number, height: number, reach = height): [number, number] {
  if (!layout.tops.length) return [0, -1];
  return [findPageAt(layout, top - reach), findPageAt(layout, top + height + reach)];
}

/** Find the page that is being read: the one at a third of the view. */
export function findCurrentPage(layout: Layout, top: number, height: number): number {
  if (top + height >= layout.height - 1 && layout.tops.length) {
    const last = layout.tops.length - 1;
    if ((layout.tops[last] ?? 0) >= top) return last;
  }
  return findPageAt(layout, top + height / 3);
}

/** Compute the scale at which the median page fills the width of the view, or fits into it. */
export function computeFitScale(sizes: readonly Size[], turn: Rotation, view: Size, fit: "width" | "page"): number {
  const turned = sizes.map((size) => rotateSize(size, turn)).sort((a, b) => a.width - b.width);
  const usual = turned[Math.floor(turned.length / 2)];
  if (!usual || view.width <= 0 || view.height <= 0) return 1;
  const across = Math.min(MAX_FIT_SCALE, Math.max(40, view.width - 2 * MARGIN) / usual.width);
  const down = Math.max(40, view.height - 2 * MARGIN) / usual.height;
  return clampScale(fit === "width" ? across : Math.min(across, down));
}

/** Limit a scale to what can be drawn. */
export function clampScale(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** Compute the pixel ratio of a canvas of this size: sharp, but within a limit of memory. */
export function computePixelRatio({ width, height }: Size, ratio: number, most = 16_000_000): number {
  return Math.min(Math.max(1, Math.min(ratio, 3)), Math.sqrt(most / Math.max(1, width * height)));
}

function clampShare(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(4)}%`;
}

/** Join lines into one rectangle per column. A column ends where the next line is higher. */
export function joinColumns(rects: readonly Rect[]): Rect[] {
  const columns: Rect[] = [];
  let last: Rect | null = null;
  for (const rect of rects) {
    const column = columns.at(-1);
    const isHigher = last !== null && rect[3] <= last[1];
    if (!column || isHigher) columns.push([...rect]);
    else columns[columns.length - 1] = joinRects(column, rect);
    last = rect;
  }
  return columns;
}

/** Return the rectangle around two others. */
export function joinRects(one: Rect, other: Rect): Rect {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/**
 * Compute the scroll position along one axis that shows a stretch, and all of what is around it where that fits.
 * `wished` is the position if both are in view there.
 */
export function computeReveal(
  [start, end]: readonly [number, number],
  [first, last]: readonly [number, number],
  view: number,
  wished: number,
): number {
  const clamp = (from: number, to: number) => Math.min(Math.max(wished, to + MARGIN - view), from - MARGIN);
  if (last - first + 2 * MARGIN <= view) return clamp(first, last);
  if (end - start + 2 * MARGIN <= view) return clamp(start, end);
  return start - MARGIN;
}

/** Return the rectangle around all lines if it fits into the view, else that around their first column. */
export function findRevealed(lines: readonly Rect[], view: Size): Rect {
  const whole = lines.reduce(joinRects);
  const [width, height] = [whole[2] - whole[0], whole[3] - whole[1]];
  // Pages have whole pixels: what fills the view may be a little larger.
  if (width + 2 * MARGIN <= view.width + 1 && height + 2 * MARGIN <= view.height + 1) return whole;
  return joinColumns(lines)[0] ?? whole;
}

const PHONE_WIDTH = 520;
const SMALLEST_LINE = 9; // pixels of height of a line's rectangle
const LARGEST_LINE = 22;
const LEAST_SHARE = 0.85; // of the size of the lines, if all of what is around them then fits

/**
 * Compute the scale at which lines fill a narrow screen and none is cut off, nor of those around them if they are little
 * longer. Columns side by side whose lines would be too small fill it one by one.
 */
export function computeReadingScale(rects: readonly Rect[], around: readonly Rect[], view: Size, fit: number): number {
  if (!rects.length || view.width > PHONE_WIDTH) return fit;
  const heights = rects.map(([, top, , bottom]) => bottom - top).sort((a, b) => a - b);
  const line = heights[Math.floor(heights.length / 2)] ?? 0;
  const measureWidth = ([left, , right]: Rect) => right - left;
  const width = measureWidth(rects.reduce(joinRects));
  if (line <= 0 || width <= 0) return fit;
  const fill = (width: number) => Math.min((view.width - 2 * MARGIN) / width, LARGEST_LINE / line);
  const isSmall = fill(width) * line < SMALLEST_LINE;
  const own = isSmall ? fill(Math.max(...joinColumns(rects).map(measureWidth))) : fill(width);
  const whole = fill(measureWidth([...rects, ...around].reduce(joinRects)));
  return clampScale(Math.max(fit, whole >= LEAST_SHARE * own ? whole : own));
}
