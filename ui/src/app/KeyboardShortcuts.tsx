import { lazy, Suspense, useEffect, useState } from "react";
import { stepDoubtful } from "../conversation/citations/doubtfulSentences";
import { keepMarkedSentence } from "../notebook/keepSentence";
import { searchStore } from "../search/searchStore";
import { closeViewer, stepMark, viewerStore } from "../viewer/viewerStore";
import { ErrorBoundary } from "./ErrorBoundary";

const ShortcutHelp = lazy(() => import("./ShortcutHelp"));

/** The keyboard shortcuts that work outside of fields, and the dialog that lists them. */
export function KeyboardShortcuts() {
  const [isShown, show] = useState(false);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isSearchKey(event)) {
        event.preventDefault();
        return searchStore.set(true);
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape") return handleEscape(event);
      if (isField(event.target)) return;
      const act = ACTIONS[event.key] ?? (event.key === "?" ? () => show(true) : null);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);

  if (!isShown) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={null}>
        <ShortcutHelp onClose={() => show(false)} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Return whether this is Ctrl+K, or Cmd+K on a Mac. No dialog may be open, except the one that this key opens. */
function isSearchKey(event: KeyboardEvent): boolean {
  const isKey = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  return isKey && !document.querySelector("dialog[open]:not(.everything)");
}

/** What each key does outside of fields. */
export const ACTIONS: Record<string, () => void> = {
  "/": () => document.getElementById("ask")?.focus(),
  j: () => stepMark(1),
  k: () => stepMark(-1),
  d: () => stepDoubtful(1),
  D: () => stepDoubtful(-1),
  b: keepMarkedSentence,
  o: () =>
    viewerStore.set((now) => (now.document || now.file ? { ...now, isOpen: true, request: now.request + 1 } : now)),
};

/**
 * Handle Escape. Dialogs and menus handle it themselves; else it leaves a field or closes the source.
 */
function handleEscape(event: KeyboardEvent): void {
  if (event.isComposing || document.querySelector("dialog[open], [popover]:popover-open")) return;
  if (!isField(event.target)) closeViewer();
  else if (event.target instanceof HTMLElement && event.target.id === "ask") focusLastAnswer();
  else if (!(event.target instanceof HTMLInputElement && event.target.type === "search" && event.target.value))
    focusMain();
}

/** Focus the last answer, so that `j` and `k` are shortcuts again and not letters. */
function focusLastAnswer(): void {
  // The pages of a source are articles too, but not inside <main>.
  const place = [...document.querySelectorAll<HTMLElement>("main, main article")].at(-1);
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Focus the view, so that letters are shortcuts again. A search field with words in it is emptied first. */
function focusMain(): void {
  const place = document.querySelector<HTMLElement>("main");
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
