import { type RefObject, useLayoutEffect } from "react";

/** Keep an open popover beside its button, also when the window changes its size. */
export function usePlacedPopover(
  isOpen: boolean,
  button: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  isAbove = false,
): void {
  // The size of the popover is known only once it is rendered.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const place = () => placePopover(button.current, floating.current, isAbove);
    place();
    addEventListener("resize", place);
    return () => removeEventListener("resize", place);
  }, [isOpen, button, floating, isAbove]);
}

/** Place a popover below its button, or above it if there is no room, within the window. */
export function placePopover(button: HTMLElement | null, floating: HTMLElement | null, isAbove = false): void {
  const box = button?.getBoundingClientRect();
  if (!box || !floating) return;
  // Where it was, it may have been narrowed by the edge of the window.
  floating.style.left = "0";
  const { width, height } = floating.getBoundingClientRect();
  const isBelow = !isAbove && box.bottom + 4 + height <= innerHeight - 8;
  floating.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  floating.style.top = isBelow ? `${box.bottom + 4}px` : "auto";
  floating.style.bottom = isBelow
    ? "auto"
    : `${Math.max(8, Math.min(innerHeight - box.top + 4, innerHeight - height - 8))}px`;
}
