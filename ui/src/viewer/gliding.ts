/** Scrolling that explains where one goes, quickly, and stops when the reader takes over. */

const LASTS = 180;

/** Whether the reader wants no motion. */
function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Scroll an element to a place, in a short glide or at once. */
export function glide(element: HTMLElement, top: number, left: number, isSmooth: boolean): void {
  const to = Math.max(0, Math.min(top, element.scrollHeight - element.clientHeight));
  const from = element.scrollTop;
  gliding.get(element)?.();
  if (!isSmooth || isStill() || document.hidden || Math.abs(to - from) < 2) {
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
    gliding.delete(element);
  };
  const step = (now: number) => {
    const share = Math.min(1, Math.max(0, (now - began) / LASTS));
    element.scrollTop = from + (to - from) * (1 - (1 - share) ** 3);
    if (share < 1) frame = requestAnimationFrame(step);
    else stop();
  };
  element.addEventListener("wheel", stop, { passive: true });
  element.addEventListener("pointerdown", stop);
  gliding.set(element, stop);
  frame = requestAnimationFrame(step);
}

const gliding = new WeakMap<HTMLElement, () => void>();
