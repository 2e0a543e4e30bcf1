import type { Placed } from "../api/shapes";

/** Where the view is asked to go: to rectangles, else to a character, else to a page. `id` tells one wish from the next. */
export interface Target {
  id: number;
  page: number | null;
  start: number | null;
  boxes: Placed[];
  isSmooth: boolean;
}

let last = 0;

/** A wish to go somewhere. */
export function aimed(to: { page?: number | null; start?: number | null; boxes?: Placed[] }, isSmooth = true): Target {
  return { id: ++last, page: to.page ?? null, start: to.start ?? null, boxes: to.boxes ?? [], isSmooth };
}
