/** Put something that floats below its button, or above where there is more room, within the window. */
export function beside(button: HTMLElement | null, floating: HTMLElement | null): void {
  const box = button?.getBoundingClientRect();
  if (!box || !floating) return;
  const { width, height } = floating.getBoundingClientRect();
  const isBelow = box.bottom + 4 + height <= innerHeight - 8;
  floating.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  floating.style.top = `${isBelow ? box.bottom + 4 : Math.max(8, box.top - height - 4)}px`;
}
