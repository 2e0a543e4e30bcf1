import { useState } from "react";
import { useStore } from "../state/store";
import { type Zoom, zoomStore } from "./zoom";

/** The zoom that was chosen, and the scale that it gives. `target` is the place that the view was last sent to. */
export function useZoom(target: number | null) {
  const zoom = useStore(zoomStore);
  const [scale, setScale] = useState(1);
  const [chosenAt, setChosenAt] = useState(0);
  const chooseZoom = (next: Zoom) => {
    setChosenAt(target ?? 0);
    zoomStore.set(next);
  };
  /** Whether the reader chose the zoom after the view was sent there: it no longer zooms to the passage. */
  const isOwnZoom = target !== null && chosenAt === target;
  return { zoom, scale, isOwnZoom, setScale, chooseZoom };
}
