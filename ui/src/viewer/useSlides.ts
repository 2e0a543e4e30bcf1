/** The slides of a presentation as they look, loaded on demand and kept. */
import { useCallback, useMemo, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import type { Size } from "./pageGeometry";

export type Slide = components["schemas"]["SlideOf"];

export interface Slides {
  slides: Record<number, Slide>;
  problem: Problem | null;
  /** The size of the slides in points. */
  size: Size;
  /** Load a slide by its number, from 1. */
  load: (number: number) => Promise<void>;
}

const USUAL: Size = { width: 960, height: 540 };

/** Return the slides of a document as far as they are loaded. Use one component per document. */
export function useSlides(document: string): Slides {
  const [slides, setSlides] = useState<Record<number, Slide>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const asked = useRef(new Map<number, Promise<void>>());

  const load = useCallback(
    (number: number) => {
      const known = asked.current;
      const before = known.get(number);
      if (before) return before;
      const params = { path: { document, number } };
      const loading = server.GET("/api/documents/{document}/slides/{number}", { params }).then(
        (answer) => {
          const slide = unwrap(answer) as Slide;
          setSlides((now) => ({ ...now, [number]: slide }));
          setProblem(null);
        },
        (error: unknown) => {
          known.delete(number);
          setProblem(toProblem(error));
        },
      );
      known.set(number, loading);
      return loading;
    },
    [document],
  );

  const first = Object.values(slides).find((slide) => slide.drawing)?.drawing;
  const [width, height] = [first?.width ?? USUAL.width, first?.height ?? USUAL.height];
  const size = useMemo(() => ({ width, height }), [width, height]);
  return { slides, problem, size, load };
}
