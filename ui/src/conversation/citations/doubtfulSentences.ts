/** Step through the sentences of a conversation that are not verified. */
import { openMark, viewerStore } from "../../viewer/viewerStore";
import { conversationStore } from "../conversationStore";
import { findMark } from "./citationMarks";
import type { DisplayedVerdict } from "./verdicts";

/** The verdicts that a reader has to look at. */
export const DOUBTFUL = ["contradicted", "unsupported", "partial", "unchecked"] as const satisfies DisplayedVerdict[];
export type DoubtfulVerdict = (typeof DOUBTFUL)[number];

interface Steps {
  /** Only the sentences of this answer. */
  turn?: string;
  /** Only the sentences with this verdict. */
  form?: DoubtfulVerdict;
}

/** Return whether a verdict is one that a reader has to look at. */
export function isDoubtful(form: DisplayedVerdict): form is DoubtfulVerdict {
  return DOUBTFUL.some((each) => each === form);
}

/**
 * Focus the citation of the next doubtful sentence (1) or of the previous one (-1). Its card says what is wrong, and a
 * source that is open goes to the cited words.
 */
export function stepDoubtful(by: 1 | -1, { turn, form }: Steps = {}): void {
  const marks = listDoubtfulChips(turn, form);
  const chip = marks[chooseNext(marks, by)];
  if (!chip) return;
  // At once: a view that is still moving would hide the card.
  chip.scrollIntoView({ block: "center", behavior: "instant" });
  followSource(chip);
  // Also after a click, the card tells why the sentence is doubtful.
  chip.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
}

/** List the first chip of each doubtful sentence in the order of the conversation. */
function listDoubtfulChips(turn: string | undefined, form: DoubtfulVerdict | undefined): HTMLElement[] {
  const answers = document.querySelectorAll(turn ? `[data-answer="${CSS.escape(turn)}"]` : "main [data-answer]");
  const wanted = (form ? [form] : DOUBTFUL).map((each) => `.chip[data-form="${each}"]`).join();
  const seen = new Set<string>();
  return [...answers].flatMap((answer) =>
    [...answer.querySelectorAll<HTMLElement>(wanted)].filter((chip) => {
      const key = `${answer.getAttribute("data-answer")}:${chip.dataset.sentence}`;
      return !seen.has(key) && seen.add(key);
    }),
  );
}

/** Choose the sentence after or before the focused one, else the first one in view or below it. */
function chooseNext(chips: HTMLElement[], by: 1 | -1): number {
  const focused = document.activeElement;
  const place = chips.indexOf(focused as HTMLElement);
  if (place >= 0) return (place + by + chips.length) % chips.length;
  const isPlaced = focused?.closest("[data-answer]");
  if (isPlaced && focused) {
    const next = chips.findIndex((chip) => focused.compareDocumentPosition(chip) & Node.DOCUMENT_POSITION_FOLLOWING);
    return by > 0 ? Math.max(next, 0) : (next < 0 ? chips.length : next) - 1 + (next ? 0 : chips.length);
  }
  const top = chips[0]?.closest(".talk")?.getBoundingClientRect().top ?? 0;
  const shown = chips.findIndex((chip) => chip.getBoundingClientRect().top >= top);
  return by > 0 ? Math.max(shown, 0) : (shown > 0 ? shown : chips.length) - 1;
}

/** Open the source of a chip if the reader has a source open. */
function followSource(chip: HTMLElement): void {
  if (!viewerStore.get().isOpen || !chip.dataset.mark) return;
  const place = chip.dataset.mark.lastIndexOf(":");
  const turn = conversationStore.get().thread.turns.find(({ id }) => id === chip.dataset.mark?.slice(0, place));
  const mark = turn && findMark(turn, Number(chip.dataset.mark.slice(place + 1)));
  if (mark) openMark(mark);
}
