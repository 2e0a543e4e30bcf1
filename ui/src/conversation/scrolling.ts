import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR = 48;
const MARGIN = 32;

/** How to move to another place: smoothly, unless the person prefers no motion. */
export function motion(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** Whether a view stands at its end, or nearly. */
export function isAtEnd({
  scrollTop,
  scrollHeight,
  clientHeight,
}: Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR;
}

/** Where a view that follows stops: passages come all at once, the best first, so they are read from their question on. */
function beginningOf(content: HTMLElement): number {
  const last = content.lastElementChild;
  const isRead = last instanceof HTMLElement && last.querySelector(".passages") !== null;
  return isRead ? Math.max(0, last.offsetTop - content.offsetTop - MARGIN) : Number.POSITIVE_INFINITY;
}

/** A view that follows what grows at its end while its reader is there, and says when they are not. */
export function useFollowing(key: string | null): {
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
    element.scrollTo({ top: element.scrollHeight, behavior: isSmooth ? motion() : "instant" });
  }, []);

  useEffect(() => {
    const element = view.current;
    const content = inside.current;
    if (!element || !content) return;
    let last = element.scrollTop;
    const scrolled = () => {
      const isEnd = isAtEnd(element);
      // Only the reader moves up; what grows below is no leaving.
      if (element.scrollTop < last - 2 && !isEnd) follows.current = false;
      if (isEnd) follows.current = true;
      last = element.scrollTop;
      setAway(!isEnd);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = Math.min(element.scrollHeight, beginningOf(content));
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins at its end
  useLayoutEffect(() => {
    follows.current = true;
  }, [key]);

  return { view, inside, isAway, toEnd };
}
