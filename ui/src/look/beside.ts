/** Put something that floats below its button, or above where there is no room, within the window; it grows away from it. */
export function beside(button: HTMLElement | null, floating: HTMLElement | null, isAbove = false): void {
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
