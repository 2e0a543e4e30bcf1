import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { computeReveal, MARGIN } from "./pageGeometry";
import { revealSideways, scrollSmoothly } from "./smoothScroll";
import { useNearbySections, useWidthChange } from "./useNearbySections";
import type { ScrollTarget } from "./useScrollTarget";

const SETTLE_TIME = 800; // milliseconds in which content that loads above must not move the target

/** The section of a place in a document, and the first character of the block in it. */
export interface SectionPlace {
  section: number;
  block: number;
}

interface SectionScrollerProps {
  className: string;
  kind: string;
  label: string;
  count: number;
  target: ScrollTarget | null;
  /** Finds the section of the target, once it is loaded. */
  find: (target: ScrollTarget) => Promise<SectionPlace | null>;
  load: (section: number) => unknown;
  isLoaded: (section: number) => boolean;
  /** Renders a section that is loaded. */
  render: (section: number) => ReactNode;
  /** Returns the height of a section that is not rendered, from the heights of those that were. */
  estimate: (section: number, heights: ReadonlyMap<number, number>) => number;
  /** What stands in a section that is being loaded. */
  waiting: ReactNode;
  /** Tells the section and the first character of the block that are being read. */
  onRead: (place: SectionPlace) => void;
  /** Wraps the sections; `reload` loads those near the view again. */
  children: (sections: ReactNode, reload: () => void) => ReactNode;
}

/** Sections below each other. Those near the view are loaded and rendered; the view goes to the target and stays. */
export function SectionScroller(props: SectionScrollerProps) {
  const { className, kind, label, count, target, find, load, isLoaded, render } = props;
  const { estimate, waiting, onRead, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
  const [goal, setGoal] = useState<Goal | null>(null);
  const settling = useRef<(Goal & { until: number }) | null>(null);

  const reload = useCallback(() => {
    for (const section of near) void load(section);
  }, [near, load]);
  useEffect(reload, [reload]);

  useEffect(() => {
    let isLeft = false;
    if (!target || (target.start === null && target.page === null)) return;
    void find(target).then((place) => {
      if (isLeft || !place) return;
      void load(place.section);
      setGoal({ ...place, id: target.id, start: target.start ?? 0, isSmooth: target.isSmooth });
    });
    return () => {
      isLeft = true;
    };
  }, [target, find, load]);

  const aim = goal?.section ?? null;
  const isDrawn = aim !== null && isLoaded(aim);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !goal || !isDrawn) return;
    const to = computePlace(element, goal);
    if (to === null) return;
    settling.current = { ...goal, until: performance.now() + SETTLE_TIME };
    const isClose = Math.abs(to.top - element.scrollTop) < 8 * element.clientHeight;
    scrollSmoothly(element, to.top, to.left, goal.isSmooth && isClose);
    revealSideways(element);
  }, [goal, isDrawn]);

  const stay = useCallback(() => {
    const element = scroller.current;
    const still = settling.current;
    if (!element || !still || performance.now() > still.until) return;
    const to = computePlace(element, still);
    if (to !== null && Math.abs(to.top - element.scrollTop) > 1) scrollSmoothly(element, to.top, to.left, false);
  }, []);
  useNearbySections(scroller, count, setNear, heights.current, stay);
  useWidthChange(scroller, () => {
    // Stay at the passage until the reader scrolls, even when a phone is rotated.
    if (settling.current) settling.current.until = performance.now() + SETTLE_TIME;
    stay();
  });

  const release = () => {
    settling.current = null;
  };
  const read = () => {
    const place = scroller.current && findPlace(scroller.current);
    if (place) onRead(place);
  };
  return (
    <section
      className={className}
      data-scroller
      data-kind={kind}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onScroll={read}
      onWheel={release}
      onPointerDown={release}
      onKeyDown={release}
    >
      {children(
        Array.from({ length: count }, (_, at) => {
          const isShown = isLoaded(at) && (near.has(at) || at === aim);
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a section is identified by its index
              key={at}
              data-stretch={at}
              aria-busy={!isShown}
              style={isShown ? undefined : { height: heights.current.get(at) ?? estimate(at, heights.current) }}
            >
              {isShown ? render(at) : near.has(at) && waiting}
            </div>
          );
        }),
        reload,
      )}
    </section>
  );
}

interface Goal extends SectionPlace {
  id: number;
  start: number;
  isSmooth: boolean;
}

/**
 * Compute the scroll position that puts a character at a third of the view, and shows a chosen passage whole; null while
 * it is not rendered. An element with `data-whole` around the character or in its block is shown whole if it fits.
 */
function computePlace(scroller: HTMLElement, { section, block, start }: Goal): { top: number; left: number } | null {
  const inside = scroller.querySelector(`[data-stretch="${section}"]`);
  const first = inside?.querySelector(`[data-block="${block}"]`);
  if (!inside || !first) return null;
  const element = inside.querySelector(`[data-start="${start}"]`) ?? first;
  const isChosen = element.classList.contains("chosen");
  const chosen = isChosen ? [...scroller.querySelectorAll(".lit.chosen")] : [element];
  const frame = element.closest("[data-whole]") ?? (element === first ? first.querySelector("[data-whole]") : null);
  const around = isChosen ? [...chosen, ...scroller.querySelectorAll("[data-passage]")] : chosen;
  const view = scroller.getBoundingClientRect();
  const height = scroller.clientHeight;
  const [top, bottom, left, right] = measure(chosen);
  const [aroundTop, aroundBottom] = measure(frame ? [frame] : around);
  const wished = frame ? aroundTop - MARGIN : top - height / 3;
  const isWhole = isChosen || frame;
  const to = isWhole ? computeReveal([top, bottom], [aroundTop, aroundBottom], height, wished) : wished;
  const isWide = scroller.scrollWidth > scroller.clientWidth;
  const across = isWide ? computeReveal([left, right], [left, right], scroller.clientWidth, left - MARGIN) : 0;
  return {
    top: scroller.scrollTop + to - view.top,
    left: isWide ? Math.max(0, scroller.scrollLeft + across - view.left) : 0,
  };
}

function measure(elements: Element[]): [top: number, bottom: number, left: number, right: number] {
  const boxes = elements.map((each) => each.getBoundingClientRect());
  return [
    Math.min(...boxes.map(({ top }) => top)),
    Math.max(...boxes.map(({ bottom }) => bottom)),
    Math.min(...boxes.map(({ left }) => left)),
    Math.max(...boxes.map(({ right }) => right)),
  ];
}

/** Return the section and the first character of the block at a third of the view, or of the last at the end. */
function findPlace(scroller: HTMLElement): SectionPlace {
  const { top, height } = scroller.getBoundingClientRect();
  const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  const line = top + (isAtEnd ? height : height / 3);
  const place = { section: 0, block: 0 };
  for (const block of scroller.querySelectorAll<HTMLElement>("[data-block]")) {
    if (block.getBoundingClientRect().top > line) break;
    place.block = Number(block.dataset.block);
    place.section = Number(block.closest<HTMLElement>("[data-stretch]")?.dataset.stretch);
  }
  return place;
}
