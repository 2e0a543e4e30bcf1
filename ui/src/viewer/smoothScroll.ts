/** Scroll with a short animation that stops when the reader scrolls, and sideways to chosen words. */
import { computeReveal } from "./pageGeometry";

const DURATION = 180;

/** Return whether the user prefers no motion. */
function prefersNoMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Scroll an element to a position, animated or at once. */
export function scrollSmoothly(element: HTMLElement, top: number, left: number, isSmooth: boolean): void {
  const to = Math.max(0, Math.min(top, element.scrollHeight - element.clientHeight));
  const from = element.scrollTop;
  runningScrolls.get(element)?.();
  if (!isSmooth || prefersNoMotion() || document.hidden || Math.abs(to - from) < 2) {
    element.scrollTo({ top: to, left, behavior: "instant" });
    return;
  }
  element.scrollLeft = left;
  const began = performance.now();
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    element.removeEventListener("wheel", stop);
    element.removeEventListener("pointerdown", stop);
    runningScrolls.delete(element);
  };
  const step = (now: number) => {
    const share = Math.min(1, Math.max(0, (now - began) / DURATION));
    element.scrollTop = from + (to - from) * (1 - (1 - share) ** 3);
    if (share < 1) frame = requestAnimationFrame(step);
    else stop();
  };
  element.addEventListener("wheel", stop, { passive: true });
  element.addEventListener("pointerdown", stop);
  runningScrolls.set(element, stop);
  frame = requestAnimationFrame(step);
}

const runningScrolls = new WeakMap<HTMLElement, () => void>();

/** Scroll what is wider than the view, as lines of code are, until the first chosen words are seen. */
export function revealSideways(view: HTMLElement, left = 0): void {
  const chosen = view.querySelector(".lit.chosen");
  const scroller = chosen && findSidewaysScroller(chosen, view);
  const words = chosen?.getClientRects()[0];
  if (!scroller || !words) return;
  const from = scroller.getBoundingClientRect().left + left;
  const place = [words.left - from, words.right - from] as const;
  scroller.scrollLeft += computeReveal(place, place, scroller.clientWidth - left, 0);
}

/** Find the nearest element around this one, up to the view, that can be scrolled sideways. */
function findSidewaysScroller(inside: Element, view: HTMLElement): Element | null {
  for (let up = inside.parentElement; up && view.contains(up); up = up.parentElement) {
    if (up.scrollWidth > up.clientWidth && /auto|scroll/.test(getComputedStyle(up).overflowX)) return up;
  }
  return null;
}
