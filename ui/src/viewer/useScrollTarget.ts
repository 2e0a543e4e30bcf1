import { useCallback, useState } from "react";
import type { PageBoxes } from "../api/types";

/** A place in a document: rectangles, else a character, else a page. */
export interface Place {
  page?: number | null;
  start?: number | null;
  boxes?: PageBoxes[];
}

/**
 * The place that the view should scroll to. `id` changes with every request, so that the same place can be requested
 * twice.
 */
export interface ScrollTarget {
  id: number;
  page: number | null;
  start: number | null;
  boxes: PageBoxes[];
  isSmooth: boolean;
}

/**
 * Return the target of the view and a function that sets it; `isFirstSmooth` tells whether the very first scroll is
 * animated.
 */
export function useScrollTarget(): {
  target: ScrollTarget | null;
  scrollTo: (place: Place, isFirstSmooth?: boolean) => void;
} {
  const [target, setTarget] = useState<ScrollTarget | null>(null);
  const scrollTo = useCallback(
    ({ page = null, start = null, boxes = [] }: Place, isFirstSmooth = true) =>
      setTarget((now) => ({ id: (now?.id ?? 0) + 1, page, start, boxes, isSmooth: isFirstSmooth || now !== null })),
    [],
  );
  return { target, scrollTo };
}
