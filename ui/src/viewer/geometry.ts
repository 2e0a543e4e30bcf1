/** Where things stand: pages below each other in pixels, and rectangles of points on a page that may be turned. */

export type Turn = 0 | 90 | 180 | 270;
export type Rect = readonly [left: number, top: number, right: number, bottom: number];

export interface Size {
  width: number;
  height: number;
}

/** Pages below each other: `tops[i]`, `widths[i]` and `heights[i]` in whole pixels, so that no page is blurred. */
export interface Layout {
  tops: number[];
  widths: number[];
  heights: number[];
  width: number;
  height: number;
}

export const GAP = 12;
export const MARGIN = 16;
const LEAST_SCALE = 0.1;
const MOST_SCALE = 8;
const WIDEST = 2; // pixels of a point: a page as wide as a large screen is too large to read

/** A page's size when it is turned. */
export function turnedSize({ width, height }: Size, turn: Turn): Size {
  return turn % 180 ? { width: height, height: width } : { width, height };
}

/** A rectangle of a page of this size, where it stands when the page is turned clockwise. */
export function turnedRect([left, top, right, bottom]: Rect, { width, height }: Size, turn: Turn): Rect {
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

/** A rectangle in percent of its page, as CSS takes it; whatever hangs over the page's edge is cut. */
export function inPercent([left, top, right, bottom]: Rect, { width, height }: Size) {
  const [x, y] = [within(left / width), within(top / height)];
  const [w, h] = [within(right / width) - x, within(bottom / height) - y];
  return { left: percent(x), top: percent(y), width: percent(Math.max(0, w)), height: percent(Math.max(0, h)) };
}

/** Pages of these sizes (in points) below each other, at a scale in pixels per point. */
export function layOut(sizes: readonly Size[], scale: number, turn: Turn): Layout {
  const made: Layout = { tops: [], widths: [], heights: [], width: 0, height: MARGIN };
  for (const size of sizes) {
    const { width, height } = turnedSize(size, turn);
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

/** The index of the page at this height; a gap belongs to the page above it. */
export function pageAt({ tops }: Layout, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first and the last index of the pages in view, and of those within `reach` pixels of it. */
export function nearPages(layout: Layout, top: number, height: number, reach = height): [number, number] {
  if (!layout.tops.length) return [0, -1];
  return [pageAt(layout, top - reach), pageAt(layout, top + height + reach)];
}

/** The page that is being read: the one at a third of the view. */
export function currentPage(layout: Layout, top: number, height: number): number {
  if (top + height >= layout.height - 1 && layout.tops.length) {
    const last = layout.tops.length - 1;
    if ((layout.tops[last] ?? 0) >= top) return last;
  }
  return pageAt(layout, top + height / 3);
}

/** The scale at which the usual page fills the width of the view, or lies in it whole. */
export function fitting(sizes: readonly Size[], turn: Turn, view: Size, fit: "width" | "page"): number {
  const turned = sizes.map((size) => turnedSize(size, turn)).sort((a, b) => a.width - b.width);
  const usual = turned[Math.floor(turned.length / 2)];
  if (!usual || view.width <= 0 || view.height <= 0) return 1;
  const across = Math.min(WIDEST, Math.max(40, view.width - 2 * MARGIN) / usual.width);
  const down = Math.max(40, view.height - 2 * MARGIN) / usual.height;
  return clampScale(fit === "width" ? across : Math.min(across, down));
}

/** A scale within what can be drawn. */
export function clampScale(scale: number): number {
  return Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale));
}

/** How many pixels of the screen a pixel of CSS gets on a canvas of this size: sharp, and never too much memory. */
export function sharpness({ width, height }: Size, ratio: number, most = 16_000_000): number {
  return Math.min(Math.max(1, Math.min(ratio, 3)), Math.sqrt(most / Math.max(1, width * height)));
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(4)}%`;
}

/** One rectangle for each column of lines: a column ends where the next line stands higher. */
export function columnsOf(rects: readonly Rect[]): Rect[] {
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

function joinRects(one: Rect, other: Rect): Rect {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}
