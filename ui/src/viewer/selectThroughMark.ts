/** Let the mouse select words below a highlight: it is a button, and no selection can begin on one. */
import type { PointerEvent as ReactPointerEvent } from "react";

/** The pixels that a pointer moves before it selects and no longer presses the button. */
const DRAGGED = 8;

type Place = { clientX: number; clientY: number };
type Caret = [Node, number];

/** Select the words from where the pointer was pressed to where it is, until it is released. */
export function selectThroughMark(pressed: ReactPointerEvent<HTMLElement>): void {
  if (pressed.pointerType !== "mouse" || pressed.button !== 0 || pressed.shiftKey) return;
  const scroller = pressed.currentTarget.closest<HTMLElement>("[data-scroller]");
  const start = { clientX: pressed.clientX, clientY: pressed.clientY };
  const released = new AbortController();
  let anchor: Caret | null = null;

  const end = () => {
    released.abort();
    // Later, so that the click that may follow meets the words too.
    setTimeout(() => delete scroller?.dataset.selecting);
  };
  const follow = (moved: PointerEvent) => {
    if (!moved.buttons) return end(); // the release was elsewhere
    if (!anchor) {
      if (!scroller || Math.hypot(moved.clientX - start.clientX, moved.clientY - start.clientY) < DRAGGED) return;
      scroller.dataset.selecting = ""; // the pointer now reaches the words, so releasing it presses no highlight
      anchor = findCaret(start);
      if (!anchor) return end(); // a picture of a page has no words
      scroller.focus({ preventScroll: true }); // the keys act on the selection, not on the button
    }
    const focus = findCaret(moved);
    if (focus) getSelection()?.setBaseAndExtent(...anchor, ...focus);
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
