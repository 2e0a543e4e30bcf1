/** Words that another view puts into the question, as the words selected in a source. */
import { onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";

/** The words that wait for the question field; null if there are none. */
export const insertedQuoteStore = createStore<string | null>(null);
onPersonGone(() => insertedQuoteStore.set(null));

/** Put words into the question field, after what is written there. If it is not shown yet, they wait for it. */
export function insertQuote(quote: string): void {
  insertedQuoteStore.set((now) => (now === null ? quote : appendQuote(now, quote)));
}

/** Return a draft with a quote after it, in a paragraph of its own. */
export function appendQuote(draft: string, quote: string): string {
  return draft.trim() ? `${draft.trimEnd()}\n\n${quote}` : quote;
}
