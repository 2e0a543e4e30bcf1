/** Scroll with a short animation that stops when the reader scrolls. */

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
