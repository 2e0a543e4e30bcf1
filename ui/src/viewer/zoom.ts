/** The zoom of documents, which this browser remembers. */
import { createPersistentStore } from "../state/persistentStore";
import { clampScale } from "./pageGeometry";

/** Fitted to the view, or a factor of the printed size. */
export type Zoom = "width" | "page" | number;

/** Pixels per point at 100 %. */
export const UNIT = 96 / 72;

export const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const FINER = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6];

export const zoomStore = createPersistentStore<Zoom>("viewer.zoom", "width");

/** Return the next larger (1) or smaller (-1) zoom factor. */
export function getNextStep(share: number, by: 1 | -1): number {
  const next = by > 0 ? FINER.find((step) => step > share + 0.01) : FINER.findLast((step) => step < share - 0.01);
  return next ?? clampScale(share * UNIT) / UNIT;
}
