/** What is lit in one source, in the order it is drawn: what comes later lies above. */
import type { Placed } from "../api/shapes";
import type { Mark, Tone } from "../desk";
import { pointAt, unitAt } from "../points";
import type { Rect } from "./geometry";

/** Something lit: a mark of the desk, the passage around the chosen one, the heads of its table, or words that were looked for. */
export interface Lit {
  key: string;
  tone: Tone | "passage" | "head" | "found";
  isChosen: boolean;
  start: number | null;
  end: number | null;
  boxes: Placed[];
  mark: Mark | null;
}

/** A piece of text and what is lit in it, the uppermost last. */
export interface Piece {
  text: string;
  start: number;
  lit: Lit[];
}

const HEIGHTS: Record<Lit["tone"], number> = { passage: 0, head: 1, low: 2, medium: 3, high: 4, pin: 5, found: 6 };

/** The same in the order of drawing: the passage lowest, the more important above, the chosen uppermost. */
export function ordered(lit: readonly Lit[]): Lit[] {
  return [...lit].sort((a, b) => Number(a.isChosen) - Number(b.isChosen) || HEIGHTS[a.tone] - HEIGHTS[b.tone]);
}

/** What is lit on one page in the order of reading; `height` tells what lies above what. */
export function onPage(lit: readonly Lit[], page: number): { lit: Lit; boxes: Placed; height: number }[] {
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

/** Where something begins: its first page, and its first rectangle there. */
export function firstRect(boxes: readonly Placed[]): { page: number; size: Placed; rect: Rect } | null {
  const first = boxes.filter((each) => each.rects.length).sort((a, b) => a.page - b.page)[0];
  const rect = first?.rects[0];
  return first && rect ? { page: first.page, size: first, rect } : null;
}

/**
 * A text cut where something lit begins or ends. `start` is the text's first character in the document; it and all
 * offsets count characters as the server does.
 */
export function pieces(text: string, start: number, lit: readonly Lit[]): Piece[] {
  const end = start + pointAt(text, text.length);
  const here = lit.filter((each) => each.start !== null && each.end !== null && each.start < end && each.end > start);
  const edges = new Set([start, end]);
  for (const each of here) {
    edges.add(Math.max(start, each.start ?? start));
    edges.add(Math.min(end, each.end ?? end));
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const made: Piece[] = [];
  let unit = 0;
  for (let at = 0; at + 1 < sorted.length; at++) {
    const [from = start, to = end] = [sorted[at], sorted[at + 1]];
    const length = unitAt(text.slice(unit), to - from);
    const covering = here.filter((each) => (each.start ?? 0) <= from && (each.end ?? 0) >= to);
    made.push({ text: text.slice(unit, unit + length), start: from, lit: ordered(covering) });
    unit += length;
  }
  return made;
}
