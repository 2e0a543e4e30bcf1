/** The highlights of a document, in drawing order: later ones are above. */
import type { PageBoxes } from "../api/types";
import { toCodePointIndex, toUtf16Index } from "../text/codePoints";
import type { Colour } from "./annotationStore";
import type { Rect } from "./pageGeometry";
import type { Mark, Tone } from "./viewerStore";

/** A highlight: a mark, the passage around the chosen mark, the headers of its table, or a search match. */
export interface Highlight {
  key: string;
  tone: Tone | "passage" | "head" | "found" | `note-${Colour}`;
  isChosen: boolean;
  start: number | null;
  end: number | null;
  boxes: PageBoxes[];
  mark: Mark | null;
  /** The character at which its link takes the focus, if that is not the first of the mark. */
  entry?: number;
  /** Whether it is a highlight of the person that is open in the panel. */
  isOpen?: boolean;
  /** What a screen reader says, if that is not the place of the mark. */
  spoken?: string;
}

/** A part of a text and its highlights, the topmost last. */
export interface TextPiece {
  text: string;
  start: number;
  highlights: Highlight[];
}

const LAYERS: Record<Highlight["tone"], number> = {
  ...{ passage: 0, head: 1, "note-yellow": 2, "note-green": 2, "note-blue": 2, "note-pink": 2 },
  ...{ low: 3, medium: 4, high: 5, pin: 6, found: 7 },
};

/** Sort highlights by drawing order: the passage lowest, the important above, the chosen one topmost. */
export function sortHighlights(lit: readonly Highlight[]): Highlight[] {
  return [...lit].sort((a, b) => Number(a.isChosen) - Number(b.isChosen) || LAYERS[a.tone] - LAYERS[b.tone]);
}

/** List the highlights of one page in reading order; `height` is the drawing order. */
export function listOnPage(
  lit: readonly Highlight[],
  page: number,
): { lit: Highlight; boxes: PageBoxes; height: number }[] {
  return lit
    .flatMap((each, height) =>
      each.boxes
        .filter((boxes) => boxes.page === page && boxes.rects.length)
        .map((boxes) => ({ lit: each, boxes, height })),
    )
    .sort((a, b) => {
      const [[left, top], [otherLeft, otherTop]] = [a.boxes.rects[0] ?? [0, 0], b.boxes.rects[0] ?? [0, 0]];
      return top - otherTop || left - otherLeft;
    });
}

/** Find the first rectangle on the first page. */
export function findFirstRect(boxes: readonly PageBoxes[]): { page: number; size: PageBoxes; rect: Rect } | null {
  const first = boxes.filter((each) => each.rects.length).sort((a, b) => a.page - b.page)[0];
  const rect = first?.rects[0];
  return first && rect ? { page: first.page, size: first, rect } : null;
}

/**
 * Split a text where a highlight starts or ends. `start` is the text's first character in the document; all offsets
 * count code points.
 */
export function splitByHighlights(text: string, start: number, lit: readonly Highlight[]): TextPiece[] {
  const end = start + toCodePointIndex(text, text.length);
  const here = lit.filter((each) => each.start !== null && each.end !== null && each.start < end && each.end > start);
  const edges = new Set([start, end]);
  for (const each of here) {
    edges.add(Math.max(start, each.start ?? start));
    edges.add(Math.min(end, each.end ?? end));
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const made: TextPiece[] = [];
  let unit = 0;
  for (let at = 0; at + 1 < sorted.length; at++) {
    const [from = start, to = end] = [sorted[at], sorted[at + 1]];
    const length = toUtf16Index(text.slice(unit), to - from);
    const covering = here.filter((each) => (each.start ?? 0) <= from && (each.end ?? 0) >= to);
    made.push({ text: text.slice(unit, unit + length), start: from, highlights: sortHighlights(covering) });
    unit += length;
  }
  return made;
}
