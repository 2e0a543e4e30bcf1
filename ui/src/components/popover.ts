/** Place a popover below its button, or above it if there is no room, within the window. */
export function placePopover(button: HTMLElement | null, floating: HTMLElement | null, isAbove = false): void {
  const box = button?.getBoundingClientRect();
  if (!box || !floating) return;
  const { width, height } = floating.getBoundingClientRect();
  const isBelow = !isAbove && box.bottom + 4 + height <= innerHeight - 8;
  floating.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  floating.style.top = isBelow ? `${box.bottom + 4}px` : "auto";
  floating.style.bottom = isBelow
    ? "auto"
    : `${Math.max(8, Math.min(innerHeight - box.top + 4, innerHeight - height - 8))}px`;
}
