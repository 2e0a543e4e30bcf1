/** Let the mouse select words below a highlight: it is a button, and no selection can begin on one. */
import type { PointerEvent as ReactPointerEvent } from "react";

/** The pixels that a pointer moves before it selects and no longer presses the button. */
const DRAGGED = 4;

type Place = { clientX: number; clientY: number };
type Caret = [Node, number];

/** Select the words from where the pointer was pressed to where it is, until it is released. */
export function selectThroughMark(pressed: ReactPointerEvent<HTMLElement>): void {
  if (pressed.pointerType !== "mouse" || pressed.button !== 0 || pressed.shiftKey) return;
  const layer = pressed.currentTarget.parentElement;
  const start = { clientX: pressed.clientX, clientY: pressed.clientY };
  const released = new AbortController();
  let anchor: Caret | null = null;

  const follow = (moved: PointerEvent) => {
    const distance = Math.hypot(moved.clientX - start.clientX, moved.clientY - start.clientY);
    if (!layer || (!anchor && distance < DRAGGED)) return;
    layer.dataset.selecting = ""; // the pointer now reaches the words, so releasing it presses no highlight
    anchor ??= findCaret(start);
    const focus = findCaret(moved);
    if (anchor && focus) getSelection()?.setBaseAndExtent(...anchor, ...focus);
  };
  const end = () => {
    released.abort();
    // Later, so that the click that may follow meets the words too.
    setTimeout(() => delete layer?.dataset.selecting);
  };
  // Browsers take it for dragging the words that are already selected.
  window.addEventListener("dragstart", (event) => event.preventDefault(), released);
  window.addEventListener("pointermove", follow, released);
  window.addEventListener("pointerup", end, released);
  window.addEventListener("pointercancel", end, released);
}

/** Return the place between two characters of a page that is nearest to a point; null where there are no words. */
function findCaret({ clientX, clientY }: Place): Caret | null {
  const found = document.caretPositionFromPoint?.(clientX, clientY);
  const range = found ? null : document.caretRangeFromPoint?.(clientX, clientY); // Safari
  const node = found?.offsetNode ?? range?.startContainer;
  if (!node?.parentElement?.closest(".words-layer > span")) return null;
  return [node, found?.offset ?? range?.startOffset ?? 0];
}
