import { useCallback, useEffect, useRef, useState } from "react";
import { getNumberedPage } from "../text/pageNames";
import { readSelection, type SourceSelection } from "./sourceSelection";
import type { Sheet } from "./useDocument";

/** The time after the last change of a selection until its menu opens, in milliseconds. */
const REST = 150;

interface Selected {
  selection: SourceSelection;
  box: DOMRect;
}

/**
 * Return the words that are selected in an element that shows a source, once the reader has finished selecting, by
 * whatever means. `enter` moves the focus to the actions on them.
 */
export function useSourceSelection(
  root: HTMLElement | null,
  document: { id: string; title: string },
  sheets: Sheet[],
  enter: () => void,
): { selected: Selected | null; dismiss: () => void } {
  const [selected, set] = useState<Selected | null>(null);
  const { id, title } = document;
  const isOpen = useRef(false);
  isOpen.current = selected !== null;

  const dismiss = useCallback(() => {
    set(null);
    getSelection()?.removeAllRanges();
    root?.querySelector<HTMLElement>("[data-scroller]")?.focus({ preventScroll: true });
  }, [root]);

  useEffect(() => {
    if (!root) return;
    let timer = 0;
    let isPressed = false;
    const look = () => {
      const found = readSelection(root, getSelection());
      if (!found) return set(null);
      const first = getNumberedPage(sheets, found.page ?? findPage(sheets, found.range?.start ?? null));
      const last = getNumberedPage(sheets, found.lastPage ?? findPage(sheets, found.range && found.range.end - 1));
      const box = getSelection()?.getRangeAt(0).getBoundingClientRect();
      if (box) set({ selection: { ...found, ...first, last, document: id, title }, box: clip(box, root) });
    };
    const lookSoon = () => {
      clearTimeout(timer);
      if (!isPressed) timer = window.setTimeout(look, REST);
    };
    const pressed = (event: PointerEvent) => {
      isPressed = event.pointerType === "mouse";
    };
    const released = () => {
      isPressed = false;
      lookSoon();
    };
    const follow = () => {
      if (isOpen.current) look();
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
      if (event.key === "s" && !event.shiftKey && selectInView(root)) event.preventDefault();
      if (!isOpen.current) return;
      if (event.key === "Escape") dismiss();
      else if (event.key === "Enter") enter();
      else if (!event.shiftKey || !extendSelection(event.key)) return;
      event.preventDefault();
    };
    const own = window.document;
    own.addEventListener("selectionchange", lookSoon);
    own.addEventListener("pointerdown", pressed, true);
    own.addEventListener("pointerup", released, true);
    own.addEventListener("pointercancel", released, true);
    own.addEventListener("keydown", keyed, true);
    root.addEventListener("scroll", follow, true);
    window.addEventListener("resize", follow);
    return () => {
      clearTimeout(timer);
      own.removeEventListener("selectionchange", lookSoon);
      own.removeEventListener("pointerdown", pressed, true);
      own.removeEventListener("pointerup", released, true);
      own.removeEventListener("pointercancel", released, true);
      own.removeEventListener("keydown", keyed, true);
      root.removeEventListener("scroll", follow, true);
      window.removeEventListener("resize", follow);
    };
  }, [root, id, title, sheets, dismiss, enter]);

  return { selected, dismiss };
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("input, textarea, select, button, [contenteditable], dialog") !== null
  );
}

/** Return the page of a character; null without pages. */
function findPage(sheets: Sheet[], start: number | null): number | null {
  if (start === null) return null;
  return sheets.findLast((sheet) => sheet.start <= start)?.number ?? null;
}

/** Return the part of a box within the view, so that the menu of a long selection is in the view. */
function clip(box: DOMRect, root: HTMLElement): DOMRect {
  const view = root.getBoundingClientRect();
  const top = Math.min(Math.max(box.top, view.top), view.bottom);
  const bottom = Math.max(top, Math.min(box.bottom, view.bottom));
  const left = Math.min(Math.max(box.left, view.left), view.right);
  const right = Math.max(left, Math.min(box.right, view.right));
  return new DOMRect(left, top, right - left, bottom - top);
}

/** Select the words of the chosen citation, else the first line in view; returns whether there are any. */
export function selectInView(root: HTMLElement): boolean {
  const lines = [...root.querySelectorAll<HTMLElement>(".words-layer > span, [data-from]")];
  const chosen = [...root.querySelectorAll<HTMLElement>(".lit.chosen")];
  const view = root.querySelector("[data-scroller]")?.getBoundingClientRect();
  const lit = chosen.map((each) => each.getBoundingClientRect());
  const inText = chosen.filter((each) => each.closest("[data-from]"));
  const marked = inText.length ? inText : lines.filter((line) => lit.some((box) => isWithin(line, box)));
  const first = view && lines.find((line) => line.textContent?.trim() && line.getBoundingClientRect().top >= view.top);
  const wanted = marked.length ? marked : first ? [first] : [];
  const [begin, end] = [wanted[0], wanted.at(-1)];
  if (!begin || !end) return false;
  const range = document.createRange();
  range.setStart(begin, 0);
  range.setEnd(end, end.childNodes.length);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  return true;
}

/** Return whether the middle of an element is in a box. */
function isWithin(element: HTMLElement, box: DOMRect): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

const EXTENSIONS: Record<string, [direction: string, by: string]> = {
  ArrowRight: ["forward", "word"],
  ArrowLeft: ["backward", "word"],
  ArrowDown: ["forward", "line"],
  ArrowUp: ["backward", "line"],
};

/** Extend the selection by a word or a line; returns whether the key asks for it. */
function extendSelection(key: string): boolean {
  const [direction, by] = EXTENSIONS[key] ?? [];
  if (!direction || !by) return false;
  getSelection()?.modify("extend", direction, by);
  return true;
}
