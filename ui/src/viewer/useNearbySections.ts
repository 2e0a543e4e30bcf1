import { type RefObject, useEffect, useRef } from "react";

/** Report the sections near the view, measure the rendered ones, and report when one changes its height. */
export function useNearbySections(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  setNear: (next: (now: ReadonlySet<number>) => ReadonlySet<number>) => void,
  heights: Map<number, number>,
  onChange: () => void,
): void {
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    const root = scroller.current;
    if (!root || !count) return;
    const watching = new IntersectionObserver(
      (entries) =>
        setNear((now) => {
          const next = new Set(now);
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) next.add(getNumber(target));
            else next.delete(getNumber(target));
          }
          return next;
        }),
      { root, rootMargin: "100% 0px" },
    );
    const measuring = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.ariaBusy !== "true") heights.set(getNumber(target), target.clientHeight);
      }
      changed.current();
    });
    for (const stretch of root.querySelectorAll("[data-stretch]")) {
      watching.observe(stretch);
      measuring.observe(stretch);
    }
    return () => {
      watching.disconnect();
      measuring.disconnect();
    };
  }, [scroller, count, setNear, heights]);
}

/** Report when an element becomes wider or narrower. */
export function useWidthChange(scroller: RefObject<HTMLElement | null>, onChange: () => void): void {
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let width = element.clientWidth;
    const measuring = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      changed.current();
    });
    measuring.observe(element);
    return () => measuring.disconnect();
  }, [scroller]);
}

function getNumber(element: Element): number {
  return Number((element as HTMLElement).dataset.stretch);
}
