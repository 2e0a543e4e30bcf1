/** Keep the sentence of the citation mark that has the focus or is chosen. */
import { conversationStore } from "../conversation/conversationStore";
import { viewerStore } from "../viewer/viewerStore";
import { keepThing } from "./keepThing";
import type { KeptThing } from "./notebookStore";

/** Return whether an answer belongs to the open conversation and is complete, so that parts of it can be kept. */
export function canKeep(turn: string): boolean {
  return conversationStore.get().thread.turns.some(({ id, state }) => id === turn && state !== "running");
}

/** Keep the sentence of the mark that has the focus, or of the one whose source is shown. */
export function keepMarkedSentence(): void {
  const thing = findMarkedSentence();
  if (thing) void keepThing(thing);
}

/** Find the sentence, or the cited passage where there is no sentence. */
export function findMarkedSentence(): KeptThing | null {
  const { chosenKey } = viewerStore.get();
  const focused = document.activeElement?.closest<HTMLElement>(".chip");
  const chosen = chosenKey && document.querySelector<HTMLElement>(`.chip[data-mark="${CSS.escape(chosenKey)}"]`);
  const chip = focused ?? (chosen || null);
  const message = chip?.closest<HTMLElement>("[data-answer]")?.dataset.answer;
  if (!chip || !message || !canKeep(message)) return null;
  const sentence = Number(chip.dataset.sentence);
  if (sentence >= 0) return { kind: "sentence", message, sentence };
  const citation = Number(chip.dataset.mark?.split(":").at(-1));
  return citation > 0 ? { kind: "citation", message, citation } : null;
}
