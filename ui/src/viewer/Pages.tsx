import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Mark } from "../desk";
import { useWords } from "../words";
import {
  clampScale,
  currentPage,
  fitting,
  type Layout,
  layOut,
  MARGIN,
  nearPages,
  type Size,
  type Turn,
  turnedRect,
} from "./geometry";
import { glide } from "./gliding";
import { firstRect, type Lit } from "./marks";
import { type Drawn, Page } from "./Page";
import type { Sheet } from "./source";
import type { Target } from "./target";
import { UNIT, type Zoom } from "./zoom";

const FAR = 10;

interface PagesProps {
  sheets: Sheet[];
  drawn: Drawn;
  lit: Lit[];
  target: Target | null;
  zoom: Zoom;
  turn: Turn;
  onPage: (page: number) => void;
  onScale: (scale: number) => void;
  onZoom: (zoom: Zoom) => void;
  onChoose: (mark: Mark) => void;
  onBroken: () => void;
}

/** A document's pages below each other; only those near the view are there, the others are known by their size. */
export function Pages(props: PagesProps) {
  const { sheets, drawn, lit, target, zoom, turn, onPage, onScale, onZoom, onChoose, onBroken } = props;
  const say = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useView(scroller);
  const scale = typeof zoom === "number" ? clampScale(zoom * UNIT) : fitting(sheets, turn, view, zoom);
  const layout = useMemo(() => layOut(sheets, scale, turn), [sheets, scale, turn]);
  const [[first, last], setNear] = useState<[number, number]>([0, 1]);
  const anchor = useRef<{ page: number; share: number } | null>(null);
  const reached = useRef(0);
  const isReady = view.width > 0;

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element?.clientHeight) return;
    const { scrollTop, clientHeight } = element;
    const near = nearPages(layout, scrollTop, clientHeight);
    setNear((now) => (now[0] === near[0] && now[1] === near[1] ? now : near));
    anchor.current = anchored(layout, scrollTop, clientHeight);
    onPage(currentPage(layout, scrollTop, clientHeight) + 1);
  }, [layout, onPage]);

  // What was read stays where it was when pages change their size.
  useLayoutEffect(() => {
    const element = scroller.current;
    const at = anchor.current;
    if (!element || !isReady) return;
    if (at) {
      const y = (layout.tops[at.page] ?? 0) + at.share * (layout.heights[at.page] ?? 0);
      element.scrollTop = y - element.clientHeight / 3;
      element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2;
    }
    look();
  }, [layout, look, isReady]);

  useEffect(() => onScale(scale / UNIT), [scale, onScale]);
  usePinch(scroller, scale / UNIT, onZoom);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !target || !isReady || reached.current === target.id) return;
    reached.current = target.id;
    const to = placed(target, layout, sheets, turn, element);
    if (!to) return;
    const from = currentPage(layout, element.scrollTop, element.clientHeight) + 1;
    glide(element, to.top, to.left, target.isSmooth && Math.abs(to.page - from) <= FAR);
    look();
  }, [target, isReady, layout, sheets, turn, look]);

  const width = Math.max(view.width, layout.width + 2 * MARGIN);
  const shown = [];
  for (let at = first; isReady && at <= Math.min(last, sheets.length - 1); at++) {
    const sheet = sheets[at] as Sheet;
    const w = layout.widths[at] ?? 0;
    shown.push(
      <Page
        key={sheet.number}
        number={sheet.number}
        label={sheet.label}
        points={sheet}
        top={layout.tops[at] ?? 0}
        left={Math.round((width - w) / 2)}
        width={w}
        height={layout.heights[at] ?? 0}
        turn={turn}
        drawn={drawn}
        lit={lit}
        pulse={target?.id ?? 0}
        onChoose={onChoose}
        onBroken={onBroken}
      />,
    );
  }
  return (
    <section
      className="pages"
      data-scroller
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label={say("viewer.pages")}
      onScroll={look}
    >
      <div className="pages-inside" style={{ width: width > view.width ? width : "100%", height: layout.height }}>
        {shown}
      </div>
    </section>
  );
}

/** The size of what scrolls, without its bars. */
function useView(element: RefObject<HTMLElement | null>): Size {
  const [size, set] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = watched;
      set((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Two fingers, or the wheel with Ctrl, zoom; the browser must be told that it is not meant. */
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

function anchored(layout: Layout, top: number, height: number): { page: number; share: number } | null {
  if (top <= 0) return null;
  const page = currentPage(layout, top, height);
  const y = top + height / 3;
  return { page, share: (y - (layout.tops[page] ?? 0)) / (layout.heights[page] ?? 1) };
}

/** Where the view must go so that the target's first rectangle stands a third from its top. */
function placed(target: Target, layout: Layout, sheets: Sheet[], turn: Turn, view: HTMLElement) {
  const first = firstRect(target.boxes);
  const page = first?.page ?? target.page;
  const at = sheets.findIndex((sheet) => sheet.number === page);
  if (page === null || at < 0) return null;
  const top = layout.tops[at] ?? 0;
  const center = Math.max(0, (view.scrollWidth - view.clientWidth) / 2);
  if (!first) return { page, top: top - MARGIN, left: center };
  const [x, y, right] = turnedRect(first.rect, first.size, turn);
  const unit = (layout.heights[at] ?? 0) / (turn % 180 ? first.size.width : first.size.height);
  const left = (view.scrollWidth - (layout.widths[at] ?? 0)) / 2 + ((x + right) / 2) * unit - view.clientWidth / 2;
  const isWide = view.scrollWidth > view.clientWidth;
  return { page, top: top + y * unit - view.clientHeight / 3, left: isWide ? Math.max(0, left) : 0 };
}
