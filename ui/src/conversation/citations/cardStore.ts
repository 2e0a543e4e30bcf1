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
  /** Show a card if the pointer or the focus stays. */
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
    timer = setTimeout(() => store.set(card), DELAY);
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

/** Compute where a card goes: above or below the lines of the sentence, within the window. */
export function placeCard(
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
