/** The list of conversations: search words in, pages of conversations out. */
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";

export type Summary = components["schemas"]["Summary"];

export interface ConversationListState {
  words: string;
  /** The id of the workspace whose conversations are listed; "" for all. */
  workspace: string;
  conversations: Summary[];
  next: string | null;
  status: "loading" | "idle" | "loadingMore";
  problem: Problem | null;
}

export interface ConversationListStore extends Store<ConversationListState> {
  /** List the conversations that contain these words, or all of them, from the latest on. */
  search: (words: string) => Promise<void>;
  /** List the conversations of a workspace, or of all for "". */
  setWorkspace: (workspace: string) => Promise<void>;
  /** Load the next page, if there is one. */
  loadMore: () => Promise<void>;
  /** Empty the list and forget the search. */
  clear: () => void;
  /** Rename a conversation at once; restore its title if the server refuses. */
  rename: (conversation: string, title: string) => Promise<void>;
}

const PAGE_SIZE = 50;
const EMPTY: ConversationListState = {
  words: "",
  workspace: "",
  conversations: [],
  next: null,
  status: "loading",
  problem: null,
};

/** Create an empty list. */
export function createConversationListStore(): ConversationListStore {
  const store = createStore(EMPTY);
  let request = new AbortController();

  const load = async (before: string | null, signal: AbortSignal) => {
    const { workspace } = store.get();
    const words = store.get().words.trim();
    const query = {
      limit: PAGE_SIZE,
      ...(words && { words }),
      ...(workspace && { workspace }),
      ...(before && { before }),
    };
    try {
      const page = unwrap(await server.GET("/api/conversations", { params: { query }, signal }));
      if (signal.aborted) return;
      store.set((now) => {
        const earlier = before ? now.conversations : [];
        const known = new Set(earlier.map((each) => each.id));
        const conversations = [...earlier, ...page.conversations.filter((each) => !known.has(each.id))];
        return { ...now, conversations, next: page.next, status: "idle", problem: null };
      });
    } catch (error) {
      if (!signal.aborted) store.set((now) => ({ ...now, status: "idle", problem: toProblem(error) }));
    }
  };

  const search = async (words: string) => {
    request.abort();
    request = new AbortController();
    store.set((now) => ({ ...now, words, status: "loading" }));
    await load(null, request.signal);
  };

  const setTitle = (id: string, title: string) =>
    store.set((now) => ({
      ...now,
      conversations: now.conversations.map((each) => (each.id === id ? { ...each, title } : each)),
    }));

  return {
    ...store,
    search,
    async setWorkspace(workspace) {
      if (workspace !== store.get().workspace)
        store.set((now) => ({ ...now, workspace, conversations: [], next: null }));
      await search(store.get().words);
    },
    async loadMore() {
      const { next, status } = store.get();
      if (!next || status !== "idle") return;
      store.set((now) => ({ ...now, status: "loadingMore" }));
      await load(next, request.signal);
    },
    clear() {
      request.abort();
      store.set(EMPTY);
    },
    async rename(conversation, title) {
      const before = store.get().conversations.find((each) => each.id === conversation)?.title ?? "";
      setTitle(conversation, title);
      try {
        const params = { path: { conversation } };
        await server.PATCH("/api/conversations/{conversation}", { params, body: { title } });
      } catch (error) {
        setTitle(conversation, before);
        throw error;
      }
    },
  };
}

export const conversationListStore = createConversationListStore();
onPersonGone(conversationListStore.clear);

export const conversationRemoval = createRemoval((id) => `/api/conversations/${id}`);
