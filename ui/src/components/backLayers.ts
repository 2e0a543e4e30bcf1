/** Back closes what lies over the view on a phone, the last layer first, and does not leave the view. */
import { useEffect, useRef } from "react";
import { NARROW } from "./narrow";

/** The state of an entry of the browser's history: the number of layers over the view. */
interface LayerEntry {
  layers?: number;
}

export interface BackLayers {
  /**
   * Add a layer, and how to close it, with an entry in the browser's history. Returns how to remove both. `isWide` tells
   * that Back closes it on a wide screen too.
   */
  add: (close: () => void, isWide?: boolean) => () => void;
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
    add(close, isWide = false) {
      if (!isWide && !matchMedia(NARROW).matches) return () => {};
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

/** Let Back close what a component shows over the view while it is open; on a wide screen if `isWide` as it opens. */
export function useBackLayer(isOpen: boolean, close: () => void, isWide = false): void {
  const closeNow = useRef(close);
  closeNow.current = close;
  const isWideNow = useRef(isWide);
  isWideNow.current = isWide;
  useEffect(() => {
    if (!isOpen) return;
    pageLayers ??= createBackLayers();
    return pageLayers.add(() => closeNow.current(), isWideNow.current);
  }, [isOpen]);
}

function countLayers(): number {
  return (history.state as LayerEntry | null)?.layers ?? 0;
}

function makeState(layers: number): LayerEntry {
  return { ...(history.state as object | null), layers };
}
