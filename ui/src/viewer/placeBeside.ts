const GAP = 8;

/**
 * Place a fixed element above a box, or below it where there is no room or where `isBelow` asks for it. It begins right
 * of `edge` where it fits there.
 */
export function placeBeside(box: DOMRect, floating: HTMLElement, isBelow: boolean, edge = 0): void {
  const { width, height } = floating.getBoundingClientRect();
  const hasRoomAbove = box.top - height - GAP >= GAP;
  const hasRoomBelow = box.bottom + height + GAP <= innerHeight - GAP;
  const below = (isBelow && hasRoomBelow) || !hasRoomAbove;
  const top = below ? Math.min(box.bottom + GAP, innerHeight - height - GAP) : box.top - height - GAP;
  const wished = Math.max(edge + GAP, box.left + box.width / 2 - width / 2);
  const left = Math.min(wished, innerWidth - width - GAP);
  floating.style.top = `${Math.max(GAP, top)}px`;
  floating.style.left = `${Math.max(GAP, left)}px`;
}
