import { type KeyboardEvent, useEffect } from "react";
import { scrollSmoothly } from "./smoothScroll";

interface ViewerKeyActions {
  /** Opens the search; null if there is none. */
  find: (() => void) | null;
  /** Closes the search; null if Escape has another meaning. */
  dismiss: (() => void) | null;
  /** Goes to the next page (1) or the previous one (-1); null without pages. */
  stepPage?: ((by: 1 | -1) => void) | null;
  zoom: (by: 1 | -1 | 0) => void;
}

/** Create the key handler of the viewer: search, zoom, and scrolling through the document. */
export function handleViewerKeys({
  find,
  dismiss,
  stepPage = null,
  zoom,
}: ViewerKeyActions): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (find && isCommand && event.key === "f") return handleKey(event, find);
    if (dismiss && event.key === "Escape") return handleKey(event, dismiss);
    if (isCommand || (event.target as HTMLElement).closest("input, textarea, select, [role=menu]")) return;
    if (event.key === "+" || event.key === "=") return handleKey(event, () => zoom(1));
    if (event.key === "-") return handleKey(event, () => zoom(-1));
    if (event.key === "0") return handleKey(event, () => zoom(0));
    if (stepPage && event.key === "n") return handleKey(event, () => stepPage(1));
    if (stepPage && event.key === "p") return handleKey(event, () => stepPage(-1));
    const scroller = event.currentTarget.querySelector<HTMLElement>("[data-scroller]");
    const to = scroller && computeScrollTop(scroller, event.key);
    if (scroller && to !== null) handleKey(event, () => scrollSmoothly(scroller, to, scroller.scrollLeft, true));
  };
}

/** The places outside of the source from which it is searched: the citations that open it. */
const CITATION = ".chip, .passage";

/**
 * Let Ctrl+F search the document also while the focus is elsewhere: anywhere if the document is the whole view, else on
 * a citation. In the conversation the browser's own search stays.
 */
export function useFindKey(isWholeView: boolean, find: () => void): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      const isKey = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey);
      if (!isKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]")) return;
      if (!isWholeView && !(event.target instanceof Element && event.target.closest(CITATION))) return;
      event.preventDefault();
      find();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [isWholeView, find]);
}

function computeScrollTop({ scrollTop, clientHeight, scrollHeight }: HTMLElement, key: string): number | null {
  if (key === "PageDown") return scrollTop + clientHeight * 0.9;
  if (key === "PageUp") return scrollTop - clientHeight * 0.9;
  if (key === "Home") return 0;
  if (key === "End") return scrollHeight;
  return null;
}

function handleKey(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}
