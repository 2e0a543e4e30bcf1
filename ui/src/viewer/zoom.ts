/** How large a source is shown; this browser remembers it. */
import { remembered } from "../remembered";
import { clampScale } from "./geometry";

/** Fitted to the view, or so many times its size on paper. */
export type Zoom = "width" | "page" | number;

/** Pixels of a point at 100 %. */
export const UNIT = 96 / 72;

export const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const FINER = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6];

export const zoom = remembered<Zoom>("viewer.zoom", "width");

/** The next step larger (1) or smaller (-1) than this, as a share of the size on paper. */
export function nextStep(share: number, by: 1 | -1): number {
  const next = by > 0 ? FINER.find((step) => step > share + 0.01) : FINER.findLast((step) => step < share - 0.01);
  return next ?? clampScale(share * UNIT) / UNIT;
}
