/** The card of the citation that the reader points at. It appears and disappears with a short delay. */
import type { Citation, Sentence } from "../../api/types";
import { onPersonGone } from "../../state/personalData";
import { createStore, type Store } from "../../state/store";
import type { Turn } from "../turns";

export interface ShownCard {
  turn: Turn;
  sentence: Sentence;
  index: number;
  n: number;
  citation: Citation | null;
  chip: HTMLElement;
}

export const CARD_ID = "citation-card";
const DELAY = 150;

export interface CardStore extends Store<ShownCard | null> {
  /** Show a card if the pointer or the focus stays. None comes over a dialog: it would take the dialog's Escape. */
  showSoon: (card: ShownCard) => void;
  /** Hide the card unless the pointer comes back or moves onto the card. */
  hideSoon: () => void;
  /** Keep the card as it is. */
  keepOpen: () => void;
  /** Hide the card at once. */
  hide: () => void;
}

/** Create a store that shows no card. */
export function createCardStore(): CardStore {
  const store = createStore<ShownCard | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setSoon = (card: ShownCard | null) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!card || !document.querySelector("dialog[open]")) store.set(card);
    }, DELAY);
  };
  return {
    ...store,
    showSoon: setSoon,
    hideSoon: () => setSoon(null),
    keepOpen: () => clearTimeout(timer),
    hide() {
      clearTimeout(timer);
      store.set(null);
    },
  };
}

export const cardStore = createCardStore();
onPersonGone(cardStore.hide);

const GAP = 8;
const EDGE = 8;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A place for a card. `height` is the room that it has there; less than 0 outside the window. */
interface Place {
  left: number;
  top: number;
  height: number;
}

/**
 * Compute where a card goes: above or below the lines of the sentence, within the window, and off the next mark, so that
 * the reader can go on to it. Where no place has the room for a whole card, the card scrolls. With `isAbove` the place
 * above comes first: below the sentence the answer says what its source says instead.
 */
export function placeCard(
  chip: Box,
  lines: Box[],
  size: { width: number; height: number },
  within: { width: number; height: number },
  next: Box | null = null,
  isAbove = false,
): Place {
  const top = Math.min(chip.top, ...lines.map((each) => each.top));
  const bottom = Math.max(chip.bottom, ...lines.map((each) => each.bottom));
  const furthest = Math.max(EDGE, within.width - size.width - EDGE);
  const keep = (left: number) => Math.max(EDGE, Math.min(left, furthest));
  const left = keep(chip.left - 24);
  const below = (from: number, at = left): Place => ({
    ...{ left: at, top: from + GAP, height: within.height - EDGE - from - GAP },
  });
  const above = (to: number, at = left): Place => {
    const height = to - GAP - EDGE;
    return { left: at, top: to - GAP - Math.min(size.height, Math.max(0, height)), height };
  };
  const places = isAbove ? [above(top), below(bottom)] : [below(bottom), above(top)];
  if (next) {
    // Beside the next mark, or beyond it.
    const sides = [keep(next.left - GAP - size.width), keep(next.right + GAP)];
    places.push(...sides.flatMap((at) => [below(bottom, at), above(top, at)]));
    places.push(below(Math.max(bottom, next.bottom)), above(Math.min(top, next.top)));
  }
  const free = places.filter((place) => !next || !isCovered(next, place, size));
  const choice = free.length ? free : places;
  return choice.find((place) => place.height >= size.height) ?? choice.reduce((a, b) => (b.height > a.height ? b : a));
}

function isCovered(box: Box, { left, top, height }: Place, size: { width: number; height: number }): boolean {
  const bottom = top + Math.min(size.height, Math.max(0, height));
  return box.left < left + size.width && box.right > left && box.top < bottom && box.bottom > top;
}
