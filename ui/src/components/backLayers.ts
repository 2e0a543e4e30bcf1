/** On a phone, Back closes what lies over the view, the last layer first, and does not leave the view. */
import { useEffect, useRef } from "react";
import { NARROW } from "./narrow";

/** The state of an entry of the browser's history: the number of layers over the view. */
interface LayerEntry {
  layers?: number;
}

export interface BackLayers {
  /** Add a layer, and how to close it, with an entry in the browser's history. Returns how to remove both. */
  add: (close: () => void) => () => void;
  stop: () => void;
}

/** Create layers that follow the browser's history. */
export function createBackLayers(): BackLayers {
  const open: (() => void)[] = [];
  let isLeaving = false;

  const addEntry = () => {
    if (!isLeaving && countLayers() < open.length) history.pushState(makeState(open.length), "");
  };
  // A layer that was closed to go to another view has no entry there, and there is nothing to leave.
  const leaveEntry = () => {
    if (isLeaving || countLayers() <= open.length) return;
    isLeaving = true;
    history.back();
  };
  const followHistory = () => {
    if (isLeaving) {
      isLeaving = false;
      // Layers may have been added or removed before the browser had left the entry.
      addEntry();
      leaveEntry();
      return;
    }
    while (open.length > countLayers()) open.pop()?.();
    // The browser came back to the entry of a layer that was closed to go to another view.
    if (open.length < countLayers()) history.replaceState(makeState(open.length), "");
  };

  addEventListener("popstate", followHistory);
  return {
    add(close) {
      if (!matchMedia(NARROW).matches) return () => {};
      open.push(close);
      addEntry();
      return () => {
        const place = open.indexOf(close);
        if (place < 0) return;
        open.splice(place, 1);
        setTimeout(leaveEntry);
      };
    },
    stop: () => removeEventListener("popstate", followHistory),
  };
}

/** The layers of this page, from the first one on. */
let pageLayers: BackLayers | null = null;

/** Let Back close what a component shows over the view while it is open. */
export function useBackLayer(isOpen: boolean, close: () => void): void {
  const closeNow = useRef(close);
  closeNow.current = close;
  useEffect(() => {
    if (!isOpen) return;
    pageLayers ??= createBackLayers();
    return pageLayers.add(() => closeNow.current());
  }, [isOpen]);
}

function countLayers(): number {
  return (history.state as LayerEntry | null)?.layers ?? 0;
}

function makeState(layers: number): LayerEntry {
  return { ...(history.state as object | null), layers };
}
