/** What is lit in a document: the desk's marks, the passage around the chosen one and its heads, and words that were found. */
import { useEffect, useMemo, useState } from "react";
import { got, server } from "../api/client";
import type { Placed } from "../api/shapes";
import type { Mark } from "../desk";
import { type Lit, ordered } from "./marks";

type Spans = Record<string, Placed[]>;

/** All that is lit in a document, in the order of drawing. `isDrawn`: it has pages, so rectangles are wanted. */
export function useLit(document: string, marks: Mark[], chosen: string | null, isDrawn: boolean, found: Lit[]): Lit[] {
  const here = useMemo(() => marks.filter((mark) => mark.document === document), [marks, document]);
  const taken = here.find((mark) => mark.key === chosen);
  const passage = taken?.passage ?? null;
  const heads = taken?.heads ?? NO_BOXES;
  const missing = here.filter((mark) => !mark.boxes.length).map(spanOf);
  const spans = useSpans(
    document,
    isDrawn ? [...missing, passage && keyOf(passage)].filter((key) => key !== null) : [],
  );

  return useMemo(() => {
    const lit = here.flatMap<Lit>((mark) => {
      const { key, tone, start, end, further = [] } = mark;
      const boxes = mark.boxes.length ? mark.boxes : (spans[spanOf(mark) ?? ""] ?? []);
      const first = { key, tone, isChosen: key === chosen, start, end, boxes, mark };
      return [first, ...further.map((stretch) => ({ ...first, ...stretch, boxes: [] }))];
    });
    if (passage) {
      const { start, end } = passage;
      lit.push({
        key: "passage",
        tone: "passage",
        isChosen: false,
        start,
        end,
        boxes: spans[keyOf(passage)] ?? [],
        mark: null,
      });
    }
    if (heads.length) {
      lit.push({ key: "head", tone: "head", isChosen: false, start: null, end: null, boxes: heads, mark: null });
    }
    return ordered([...lit, ...found]);
  }, [here, chosen, passage, heads, spans, found]);
}

/** The rectangles of spans, by their keys, as they come. */
function useSpans(document: string, wanted: string[]): Spans {
  const [known, setKnown] = useState<{ document: string; spans: Spans }>({ document, spans: {} });
  const spans = known.document === document ? known.spans : NONE;
  const missing = wanted.filter((key) => !(key in spans)).join(" ");

  useEffect(() => {
    const leaving = new AbortController();
    const fetchAll = async () => {
      const keys = missing.split(" ");
      const found = await Promise.all(keys.map((key) => boxesOf(document, spanAt(key), leaving.signal)));
      if (leaving.signal.aborted) return;
      setKnown((now) => {
        const before = now.document === document ? now.spans : NONE;
        return { document, spans: { ...before, ...Object.fromEntries(keys.map((key, at) => [key, found[at] ?? []])) } };
      });
    };
    if (missing) void fetchAll();
    return () => leaving.abort();
  }, [document, missing]);

  return spans;
}

const NONE: Spans = {};
const NO_BOXES: Placed[] = [];

interface Span {
  start: number;
  end: number;
}

/** Where characters stand; a span that cannot be had has no rectangles, the rest is shown all the same. */
export async function boxesOf(document: string, { start, end }: Span, signal?: AbortSignal): Promise<Placed[]> {
  const params = { path: { document }, query: { start, end } };
  const init = signal ? { params, signal } : { params };
  try {
    return got(await server.GET("/api/documents/{document}/boxes", init)) as Placed[];
  } catch {
    return [];
  }
}

function spanAt(key: string): Span {
  const [start = 0, end = 0] = key.split("-").map(Number);
  return { start, end };
}

function keyOf({ start, end }: Span): string {
  return `${start}-${end}`;
}

function spanOf({ start, end }: Mark): string | null {
  return start === null || end === null ? null : keyOf({ start, end });
}
