/** On a phone, Back closes the source or the notebook that lies over the view, and does not leave the view. */
import { NARROW } from "../components/narrow";
import { notebookPanel } from "../notebook/notebookStore";
import { closeViewer, viewerStore } from "../viewer/viewerStore";

/** The state of the entry of the browser's history that exists while something lies over the view. */
interface SheetEntry {
  isSheet: true;
}

/** Give what lies over the view an entry in the browser's history. Returns how to stop. */
export function startBackFromSheet(): () => void {
  let wasOver = isOver();
  let hasEntry = false;
  let isLeaving = false;
  let isClosing = false;

  const addEntry = () => {
    const entry: SheetEntry = { isSheet: true };
    if (!isAtSheet()) history.pushState(entry, "");
    hasEntry = true;
  };

  const followSheet = () => {
    if (isClosing) return;
    const isNowOver = isOver();
    // A view that was opened from a sheet has none: what is opened there gets an entry of its own.
    if (isNowOver && !isLeaving && matchMedia(NARROW).matches) addEntry();
    // If it was closed to go to another view, that view's entry follows at once and there is nothing to leave.
    if (wasOver && !isNowOver) setTimeout(leaveEntry);
    wasOver = isNowOver;
  };

  const leaveEntry = () => {
    if (isOver() || isLeaving || !isAtSheet()) return;
    isLeaving = true;
    history.back();
  };

  const closeAll = () => {
    isClosing = true;
    closeViewer();
    notebookPanel.set(false);
    isClosing = false;
    wasOver = false;
  };

  const followHistory = () => {
    if (isLeaving) {
      isLeaving = false;
      hasEntry = false;
      // It was opened again before the browser had left its entry.
      if (isOver() && matchMedia(NARROW).matches) addEntry();
    } else if (hasEntry && !isAtSheet()) {
      hasEntry = false;
      closeAll();
    } else if (isAtSheet() && !isOver()) {
      // It was closed to go to another view, from which the browser now comes back.
      history.replaceState(null, "");
      hasEntry = false;
    }
  };

  const stops = [viewerStore.subscribe(followSheet), notebookPanel.subscribe(followSheet)];
  addEventListener("popstate", followHistory);
  return () => {
    for (const stop of stops) stop();
    removeEventListener("popstate", followHistory);
  };
}

function isOver(): boolean {
  return viewerStore.get().isOpen || notebookPanel.get();
}

function isAtSheet(): boolean {
  return (history.state as Partial<SheetEntry> | null)?.isSheet === true;
}
