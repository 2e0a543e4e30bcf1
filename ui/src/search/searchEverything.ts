/**
 * Search documents, passages, conversations and notes at once. A new search cancels the one before. Passages are those
 * of the open workspace, as for a question.
 */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { Summary } from "../conversations/conversationListStore";
import { createStore, type Store } from "../state/store";
import { getOpenWorkspace } from "../workspaces/workspacesStore";

type Schemas = components["schemas"];

export interface FoundThings {
  /** The words that were searched for; the things below may still be those of the words before. */
  words: string;
  documents: Schemas["DocumentInfo"][];
  passages: Schemas["MatchingPassage"][];
  conversations: Summary[];
  notes: Schemas["FoundNoteOf"][];
  isBusy: boolean;
  /** Whether the server did not answer. */
  hasFailed: boolean;
}

export interface EverythingSearch extends Store<FoundThings> {
  /** Search for these words after a short pause; "" empties the results. */
  search: (words: string) => void;
  /** Cancel what is being searched. */
  cancel: () => void;
}

const PAUSE = 150;
const EACH = 5;
/** At most so many passages are of one document, and so many are asked for that other documents are among them. */
const OF_ONE = 2;
const ASKED = 20;
const NOTHING: FoundThings = {
  words: "",
  documents: [],
  passages: [],
  conversations: [],
  notes: [],
  isBusy: false,
  hasFailed: false,
};

/** Create a search that has found nothing yet. */
export function createEverythingSearch(): EverythingSearch {
  const store = createStore(NOTHING);
  let request = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    clearTimeout(timer);
    request.abort();
    request = new AbortController();
  };

  const run = async (words: string, signal: AbortSignal) => {
    const get = { signal, params: { query: { words, limit: EACH } } };
    // Each result is shown when it arrives.
    const show = async (found: Promise<Partial<FoundThings>>) => {
      try {
        const part = await found;
        if (!signal.aborted) store.set((now) => ({ ...now, ...part }));
      } catch {
        if (!signal.aborted) store.set((now) => ({ ...now, hasFailed: true }));
      }
    };
    const workspace = getOpenWorkspace();
    const inside = { signal, params: { query: { words, limit: ASKED, alike: true, ...(workspace && { workspace }) } } };
    const notes = { signal, params: { query: { q: words, limit: EACH } } };
    await Promise.all([
      show(server.GET("/api/notebooks/search", notes).then((each) => ({ notes: unwrap(each) }))),
      show(server.GET("/api/documents", get).then((each) => ({ documents: unwrap(each).documents }))),
      show(server.GET("/api/conversations", get).then((each) => ({ conversations: unwrap(each).conversations }))),
      show(server.GET("/api/passages", inside).then((each) => ({ passages: spread(unwrap(each).passages) }))),
    ]);
    if (!signal.aborted) store.set((now) => ({ ...now, isBusy: false }));
  };

  return {
    ...store,
    cancel,
    search(given) {
      const words = given.trim();
      cancel();
      if (!words) return store.set(NOTHING);
      store.set((now) => ({ ...now, words, isBusy: true, hasFailed: false }));
      timer = setTimeout(() => void run(words, request.signal), PAUSE);
    },
  };
}

/** Take the best passages, few of each document. */
function spread(passages: FoundThings["passages"]): FoundThings["passages"] {
  const taken = new Map<string, number>();
  const few = passages.filter(({ document }) => {
    const count = (taken.get(document) ?? 0) + 1;
    taken.set(document, count);
    return count <= OF_ONE;
  });
  return few.slice(0, EACH);
}
