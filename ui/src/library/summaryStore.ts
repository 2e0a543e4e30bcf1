/** The summaries of documents that were asked for on their cards. They stay until the page is loaded again. */
import { Problem, toProblem } from "../api/problem";
import { openStream, readAnswer } from "../api/serverSentEvents";
import { makeRequestFields } from "../conversation/composer/questionRequest";
import { EMPTY_THREAD, foldEvent, type Turn } from "../conversation/turns";
import { preferencesStore } from "../settings/preferences";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { FOUND_MARK } from "../viewer/viewerStore";

/** A summary as far as it was written; without turn and problem it was asked for, and has not begun. */
export interface Summary {
  turn: Turn | null;
  problem: Problem | null;
}

/** The summaries by the ids of their documents. */
export const summaryStore = createStore<Readonly<Record<string, Summary>>>({});

let line = new AbortController();
onPersonGone(() => {
  line.abort();
  line = new AbortController();
  summaryStore.set({});
});

/** Ask for the summary of a document, outside any conversation. It is written on when its card is closed. */
export async function requestSummary(document: string, question: string): Promise<void> {
  const { signal } = line;
  const show = (summary: Summary) => {
    if (!signal.aborted) summaryStore.set((now) => ({ ...now, [document]: summary }));
  };
  show({ turn: null, problem: null });
  const asked = { message: question, documents: [document], focusMode: "documents", stream: true };
  let thread = EMPTY_THREAD;
  try {
    const response = await openStream("/api/search", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...makeRequestFields(preferencesStore.get()), ...asked }),
      signal,
    });
    for await (const events of readAnswer(response)) {
      thread = events.reduce(foldEvent, thread);
      const [turn] = thread.turns;
      // Its marks belong to no conversation.
      if (turn) show({ turn: { ...turn, id: `${FOUND_MARK}summary-${document}` }, problem: null });
    }
    if (!thread.turns.length || thread.turns[0]?.state === "running")
      throw new Problem({ code: "offline", message: "", hint: "" });
  } catch (error) {
    show({ turn: null, problem: toProblem(error) });
  }
}
