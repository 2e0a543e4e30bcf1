/** The last conversations of the open workspace. */
import { server, unwrap } from "../api/client";
import type { Summary } from "../conversations/conversationListStore";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";

export interface RecentStore extends Store<Summary[] | null> {
  /** Load the last conversations of a workspace, or of all for "". */
  load: (workspace: string) => Promise<void>;
}

const SHOWN = 8;

/** Create a store that has loaded nothing yet. */
export function createRecentStore(): RecentStore {
  const store = createStore<Summary[] | null>(null);
  let request = new AbortController();
  return {
    ...store,
    async load(workspace) {
      request.abort();
      request = new AbortController();
      const { signal } = request;
      const query = { limit: SHOWN, ...(workspace && { workspace }) };
      try {
        const page = unwrap(await server.GET("/api/conversations", { params: { query }, signal }));
        if (!signal.aborted) store.set(page.conversations);
      } catch {
        // The list stays as it was; the view in the middle says that the server does not answer.
      }
    },
  };
}

export const recentStore = createRecentStore();
onPersonGone(() => recentStore.set(null));
