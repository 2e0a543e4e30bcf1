import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const END_TOLERANCE = 48;
const MARGIN = 32;

/** Return how to scroll: smoothly, unless the user prefers no motion. */
export function getScrollBehavior(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** Return whether a view is at its end, or nearly. */
export function isAtEnd({
  scrollTop,
  scrollHeight,
  clientHeight,
}: Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">): boolean {
  return scrollHeight - scrollTop - clientHeight <= END_TOLERANCE;
}

/**
 * Return how far a view follows its end. Passages appear all at once, the best first, so the view stops at their
 * question. Proposed changes appear at once too: it stops where they begin, below the words about them.
 */
export function getFollowLimit(view: HTMLElement, content: HTMLElement): number {
  // Suggested questions may stand below the last exchange.
  const last = [...content.querySelectorAll<HTMLElement>(":scope > .exchange")].at(-1);
  if (!last) return Number.POSITIVE_INFINITY;
  if (last.querySelector(".passages")) return Math.max(0, last.offsetTop - content.offsetTop - MARGIN);
  const changes = last.querySelector(".changes");
  if (!changes) return Number.POSITIVE_INFINITY;
  const top = changes.getBoundingClientRect().top - view.getBoundingClientRect().top;
  return Math.max(0, view.scrollTop + top - view.clientHeight / 3);
}

/** Keep a view at its end while it grows, unless the reader has scrolled away. */
export function useFollowEnd(key: string | null): {
  view: RefObject<HTMLDivElement | null>;
  inside: RefObject<HTMLDivElement | null>;
  isAway: boolean;
  toEnd: (isSmooth?: boolean) => void;
} {
  const view = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback((isSmooth = false) => {
    const element = view.current;
    if (!element) return;
    follows.current = true;
    setAway(false);
    element.scrollTo({ top: element.scrollHeight, behavior: isSmooth ? getScrollBehavior() : "instant" });
  }, []);

  useEffect(() => {
    const element = view.current;
    const content = inside.current;
    if (!element || !content) return;
    let last = element.scrollTop;
    const scrolled = () => {
      const isEnd = isAtEnd(element);
      // Only the reader scrolls up. Growth below does not count as leaving the end.
      if (element.scrollTop < last - 2 && !isEnd) follows.current = false;
      if (isEnd) follows.current = true;
      last = element.scrollTop;
      setAway(!isEnd);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = Math.min(element.scrollHeight, getFollowLimit(element, content));
      setAway(!isAtEnd(element));
    });
    grown.observe(content);
    grown.observe(element);
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end
  useLayoutEffect(() => {
    follows.current = true;
  }, [key]);

  return { view, inside, isAway, toEnd };
}
