const GAP = 8;

/** Place a fixed element above a box, or below it where there is no room or where `isBelow` asks for it. */
export function placeBeside(box: DOMRect, floating: HTMLElement, isBelow: boolean): void {
  const { width, height } = floating.getBoundingClientRect();
  const hasRoomAbove = box.top - height - GAP >= GAP;
  const hasRoomBelow = box.bottom + height + GAP <= innerHeight - GAP;
  const below = (isBelow && hasRoomBelow) || !hasRoomAbove;
  const top = below ? Math.min(box.bottom + GAP, innerHeight - height - GAP) : box.top - height - GAP;
  const left = Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - GAP);
  floating.style.top = `${Math.max(GAP, top)}px`;
  floating.style.left = `${Math.max(GAP, left)}px`;
}
