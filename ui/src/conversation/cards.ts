/** Which citation's card is shown: after a moment over it, until a moment after. */
import type { Citation, Sentence } from "../api/shapes";
import { store } from "../store";
import type { Turn } from "./turns";

export interface ShownCard {
  turn: Turn;
  sentence: Sentence;
  index: number;
  n: number;
  citation: Citation | null;
  chip: HTMLElement;
}

export const CARD = "citation-card";
const DELAY = 150;
let timer: ReturnType<typeof setTimeout> | undefined;

export const shown = store<ShownCard | null>(null);

/** Show a card if the pointer or the focus stays. */
export function showSoon(card: ShownCard): void {
  later(() => shown.set(card));
}

/** Hide the card unless the pointer comes back, or goes onto the card itself. */
export function hideSoon(): void {
  later(() => shown.set(null));
}

/** Keep the card as it is. */
export function keep(): void {
  clearTimeout(timer);
}

/** Hide the card at once. */
export function hide(): void {
  clearTimeout(timer);
  shown.set(null);
}

function later(act: () => void): void {
  clearTimeout(timer);
  timer = setTimeout(act, DELAY);
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where a card goes: beside none of the sentence's lines, above or below, within the window. */
export function placed(
  chip: Box,
  lines: Box[],
  size: { width: number; height: number },
  within: { width: number; height: number },
): { left: number; top: number } {
  const top = Math.min(chip.top, ...lines.map((each) => each.top));
  const bottom = Math.max(chip.bottom, ...lines.map((each) => each.bottom));
  const left = Math.max(EDGE, Math.min(chip.left - 24, within.width - size.width - EDGE));
  const fitsBelow = bottom + GAP + size.height <= within.height - EDGE;
  const fitsAbove = top - GAP - size.height >= EDGE;
  const isBelow = fitsBelow || (!fitsAbove && within.height - bottom >= top);
  return { left, top: isBelow ? bottom + GAP : top - GAP - size.height };
}

const GAP = 8;
const EDGE = 8;
