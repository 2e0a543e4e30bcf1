/**
 * The highlights of a document: its marks, the passage around the chosen one, the headers of its table, and search
 * matches.
 */
import { useEffect, useMemo, useState } from "react";
import { server, unwrap } from "../api/client";
import type { PageBoxes } from "../api/types";
import { type Highlight, sortHighlights } from "./highlights";
import type { Mark } from "./viewerStore";

type Spans = Record<string, PageBoxes[]>;

/**
 * Return all highlights of a document in drawing order. `isDrawn` tells that it has pages, so rectangles are needed.
 */
export function useHighlights(
  document: string,
  marks: Mark[],
  chosen: string | null,
  isDrawn: boolean,
  found: Highlight[],
): Highlight[] {
  const here = useMemo(() => marks.filter((mark) => mark.document === document), [marks, document]);
  const taken = here.find((mark) => mark.key === chosen);
  const passage = taken?.passage ?? null;
  const heads = taken?.heads ?? NO_BOXES;
  const missing = here.filter((mark) => !mark.boxes.length).map(getSpanKey);
  const spans = useSpanBoxes(
    document,
    isDrawn ? [...missing, passage && makeSpanKey(passage)].filter((key) => key !== null) : [],
  );

  return useMemo(() => {
    const lit = here.flatMap<Highlight>((mark) => {
      const { key, tone, start, end, further = [] } = mark;
      const boxes = mark.boxes.length ? mark.boxes : (spans[getSpanKey(mark) ?? ""] ?? []);
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
        boxes: spans[makeSpanKey(passage)] ?? [],
        mark: null,
      });
    }
    if (heads.length) {
      lit.push({ key: "head", tone: "head", isChosen: false, start: null, end: null, boxes: heads, mark: null });
    }
    return sortHighlights([...lit, ...found]);
  }, [here, chosen, passage, heads, spans, found]);
}

/** Load the rectangles of spans, by their keys. */
function useSpanBoxes(document: string, wanted: string[]): Spans {
  const [known, setKnown] = useState<{ document: string; spans: Spans }>({ document, spans: {} });
  const spans = known.document === document ? known.spans : NONE;
  const missing = wanted.filter((key) => !(key in spans)).join(" ");

  useEffect(() => {
    const leaving = new AbortController();
    const fetchAll = async () => {
      const keys = missing.split(" ");
      const found = await Promise.all(keys.map((key) => loadBoxes(document, parseSpan(key), leaving.signal)));
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
const NO_BOXES: PageBoxes[] = [];

interface Span {
  start: number;
  end: number;
}

/** Load the rectangles of a span; none if that fails, so that the rest is shown. */
export async function loadBoxes(document: string, { start, end }: Span, signal?: AbortSignal): Promise<PageBoxes[]> {
  const params = { path: { document }, query: { start, end } };
  const init = signal ? { params, signal } : { params };
  try {
    return unwrap(await server.GET("/api/documents/{document}/boxes", init)) as PageBoxes[];
  } catch {
    return [];
  }
}

function parseSpan(key: string): Span {
  const [start = 0, end = 0] = key.split("-").map(Number);
  return { start, end };
}

function makeSpanKey({ start, end }: Span): string {
  return `${start}-${end}`;
}

function getSpanKey({ start, end }: Mark): string | null {
  return start === null || end === null ? null : makeSpanKey({ start, end });
}
