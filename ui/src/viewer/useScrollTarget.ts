import { useCallback, useState } from "react";
import type { PageBoxes } from "../api/types";

/** A place in a document: rectangles, else a character, else a page. */
export interface Place {
  page?: number | null;
  start?: number | null;
  end?: number | null;
  boxes?: PageBoxes[];
  /** The rectangles around them that should be in view too, such as the passage around a quote. */
  around?: PageBoxes[];
}

/**
 * The place that the view should scroll to. `id` changes with every request, so that the same place can be requested
 * twice.
 */
export interface ScrollTarget {
  id: number;
  page: number | null;
  start: number | null;
  end: number | null;
  boxes: PageBoxes[];
  around: PageBoxes[];
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
    ({ page = null, start = null, end = null, boxes = [], around = [] }: Place, isFirstSmooth = true) =>
      setTarget((now) => ({
        ...{ id: (now?.id ?? 0) + 1, page, start, end, boxes, around },
        isSmooth: isFirstSmooth || now !== null,
      })),
    [],
  );
  return { target, scrollTo };
}
