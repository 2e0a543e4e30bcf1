import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PageBoxes } from "../api/types";
import { useTranslate } from "../i18n";
import { findFirstRect, type Highlight } from "./highlights";
import { type PageSource, PdfPage } from "./PdfPage";
import {
  clampScale,
  computeFitScale,
  computeReadingScale,
  computeReveal,
  findCurrentPage,
  findNearPages,
  findRevealed,
  joinRects,
  type Layout,
  layOutPages,
  MARGIN,
  type Rect,
  type Rotation,
  rotateRect,
  type Size,
} from "./pageGeometry";
import { scrollSmoothly } from "./smoothScroll";
import type { Sheet } from "./useDocument";
import type { ScrollTarget } from "./useScrollTarget";
import { useSize } from "./useSize";
import type { Mark } from "./viewerStore";
import { UNIT, type Zoom } from "./zoom";

const MAX_SMOOTH_PAGES = 10;

interface PageViewProps {
  sheets: Sheet[];
  source: PageSource;
  highlights: Highlight[];
  target: ScrollTarget | null;
  zoom: Zoom;
  /** The reader has chosen the zoom since the target was set, so it is not enlarged to read the target. */
  isOwnZoom: boolean;
  rotation: Rotation;
  onPage: (page: number) => void;
  onScale: (scale: number) => void;
  onZoom: (zoom: Zoom) => void;
  onChoose: (mark: Mark) => void;
  /** Follows a link to another page. */
  onGo: (page: number) => void;
  onBroken: () => void;
}

/** The pages of a document below each other. Only those near the view are rendered. */
export function PageView(props: PageViewProps) {
  const {
    sheets,
    source: drawn,
    highlights: lit,
    target,
    rotation: turn,
    onPage,
    onScale,
    onZoom,
    onChoose,
    onGo,
    onBroken,
  } = props;
  const t = useTranslate();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useSize(scroller);
  const scale = computeScale(props, view);
  const layout = useMemo(() => layOutPages(sheets, scale, turn), [sheets, scale, turn]);
  const [[first, last], setNear] = useState<[number, number]>([0, 1]);
  const anchor = useRef<{ page: number; share: number } | null>(null);
  const middle = useRef(0.5); // of the width of the pages, the share that is left of the view's middle
  const reached = useRef(0);
  const isReady = view.width > 0;

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element?.clientHeight) return;
    const { scrollTop, clientHeight } = element;
    middle.current = (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth;
    const near = findNearPages(layout, scrollTop, clientHeight);
    setNear((now) => (now[0] === near[0] && now[1] === near[1] ? now : near));
    anchor.current = makeAnchor(layout, scrollTop, clientHeight);
    onPage(findCurrentPage(layout, scrollTop, clientHeight) + 1);
  }, [layout, onPage]);

  // Keep the position of the reader when the pages change their size.
  useLayoutEffect(() => {
    const element = scroller.current;
    const at = anchor.current;
    if (!element || !isReady) return;
    if (at) {
      const y = (layout.tops[at.page] ?? 0) + at.share * (layout.heights[at.page] ?? 0);
      element.scrollTop = y - element.clientHeight / 3;
    }
    element.scrollLeft = middle.current * element.scrollWidth - element.clientWidth / 2;
    look();
  }, [layout, look, isReady]);

  useEffect(() => onScale(scale / UNIT), [scale, onScale]);
  usePinch(scroller, scale / UNIT, onZoom);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !target || !isReady || reached.current === target.id) return;
    reached.current = target.id;
    const to = computeScroll(target, layout, sheets, turn, element);
    if (!to) return;
    const from = findCurrentPage(layout, element.scrollTop, element.clientHeight) + 1;
    scrollSmoothly(element, to.top, to.left, target.isSmooth && Math.abs(to.page - from) <= MAX_SMOOTH_PAGES);
    look();
  }, [target, isReady, layout, sheets, turn, look]);

  const width = Math.max(view.width, layout.width + 2 * MARGIN);
  const shown = [];
  for (let at = first; isReady && at <= Math.min(last, sheets.length - 1); at++) {
    const sheet = sheets[at] as Sheet;
    const w = layout.widths[at] ?? 0;
    shown.push(
      <PdfPage
        key={sheet.number}
        number={sheet.number}
        sheets={sheets}
        points={sheet}
        top={layout.tops[at] ?? 0}
        left={Math.round((width - w) / 2)}
        width={w}
        height={layout.heights[at] ?? 0}
        rotation={turn}
        source={drawn}
        highlights={lit}
        pulse={target?.id ?? 0}
        onChoose={onChoose}
        onGo={onGo}
        onBroken={onBroken}
      />,
    );
  }
  return (
    <section
      className="pages"
      data-scroller
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={t("viewer.pages")}
      onScroll={look}
    >
      <div className="pages-inside" style={{ width: width > view.width ? width : "100%", height: layout.height }}>
        {shown}
      </div>
    </section>
  );
}

/** Zoom by pinching or by the wheel with Ctrl, instead of the browser's own zoom. */
function usePinch(element: RefObject<HTMLElement | null>, scale: number, onZoom: (zoom: number) => void): void {
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const turned = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onZoom(clampScale(scale * UNIT * Math.exp(-event.deltaY / 300)) / UNIT);
    };
    watched.addEventListener("wheel", turned, { passive: false });
    return () => watched.removeEventListener("wheel", turned);
  }, [element, scale, onZoom]);
}

function makeAnchor(layout: Layout, top: number, height: number): { page: number; share: number } | null {
  if (top <= 0) return null;
  const page = findCurrentPage(layout, top, height);
  const y = top + height / 3;
  return { page, share: (y - (layout.tops[page] ?? 0)) / (layout.heights[page] ?? 1) };
}

/** Compute the scale of the pages. On a phone, the words to go to are enlarged until they can be read. */
function computeScale({ sheets, zoom, isOwnZoom, rotation, target }: PageViewProps, view: Size): number {
  if (typeof zoom === "number") return clampScale(zoom * UNIT);
  const fit = computeFitScale(sheets, rotation, view, zoom);
  if (zoom === "page" || rotation || isOwnZoom) return fit;
  const list = (boxes: readonly PageBoxes[] = []) => boxes.flatMap(({ rects }) => rects);
  return computeReadingScale(list(target?.boxes), list(target?.around), view, fit);
}

/**
 * Compute the scroll position that shows the target whole, with what is around it if that fits, its first rectangle at
 * a third of the view if that is possible.
 */
function computeScroll(target: ScrollTarget, layout: Layout, sheets: Sheet[], turn: Rotation, view: HTMLElement) {
  const first = findFirstRect(target.boxes);
  const page = first?.page ?? target.page;
  const at = sheets.findIndex((sheet) => sheet.number === page);
  if (page === null || at < 0) return null;
  const top = layout.tops[at] ?? 0;
  const center = Math.max(0, (view.scrollWidth - view.clientWidth) / 2);
  if (!first) return { page, top: top - MARGIN, left: center };
  const place = (boxes: readonly PageBoxes[]) => placeBoxes(boxes, layout, sheets, turn, view.scrollWidth);
  const lines = place(target.boxes);
  const inside = findRevealed(lines, { width: view.clientWidth, height: view.clientHeight });
  const around = [...lines, ...place(target.around)].reduce(joinRects);
  const [x, y, right, bottom] = inside;
  const middle = (x + right) / 2 - view.clientWidth / 2;
  const left = computeReveal([x, right], [around[0], around[2]], view.clientWidth, middle);
  const isWide = view.scrollWidth > view.clientWidth;
  return {
    page,
    top: computeReveal([y, bottom], [around[1], around[3]], view.clientHeight, y - view.clientHeight / 3),
    left: isWide ? Math.max(0, left) : 0,
  };
}

/** Place rectangles of pages in the layout. */
function placeBoxes(
  boxes: readonly PageBoxes[],
  layout: Layout,
  sheets: Sheet[],
  turn: Rotation,
  width: number,
): Rect[] {
  return boxes.flatMap((size) => {
    const at = sheets.findIndex((sheet) => sheet.number === size.page);
    if (at < 0) return [];
    const unit = (layout.heights[at] ?? 0) / (turn % 180 ? size.width : size.height);
    const [left, top] = [(width - (layout.widths[at] ?? 0)) / 2, layout.tops[at] ?? 0];
    return size.rects.map((rect): Rect => {
      const [x, y, right, bottom] = rotateRect(rect, size, turn);
      return [left + x * unit, top + y * unit, left + right * unit, top + bottom * unit];
    });
  });
}
