/** The documents that arrived since the page was opened and show themselves. */
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { uploadQueue } from "./uploadQueue";

/** With more documents at a time the list is quicker to look through than cards. */
const MAX_SHOWN = 3;

/** Ids of the documents whose card is open. */
export const arrivalStore = createStore<ReadonlySet<string>>(new Set());

/** Open or close the card of a document. */
export function toggleCard(id: string, isOpen: boolean): void {
  arrivalStore.set((now) => {
    const next = new Set(now);
    if (isOpen) next.add(id);
    else next.delete(id);
    return next;
  });
}

uploadQueue.onAdded(({ id, outcome }) => {
  if (outcome === "new" && uploadQueue.get().length < MAX_SHOWN) toggleCard(id, true);
});
onPersonGone(() => arrivalStore.set(new Set()));
