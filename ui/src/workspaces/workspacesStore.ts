/** The workspaces of the person, and the one that is open. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import { createPersonalStore } from "../state/persistentStore";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store, useStore } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";

export type Workspace = components["schemas"]["Workspace"];
export type GivenWorkspace = components["schemas"]["GivenWorkspace"];

export interface WorkspacesStore extends Store<Workspace[] | null> {
  /** Load the workspaces. If the server does not answer, the earlier ones stay. */
  load: () => Promise<void>;
  /** Create a workspace, or change the one with this id. */
  save: (id: string | null, body: GivenWorkspace) => Promise<Workspace>;
  /** Put a conversation into a workspace, or out of the one it is in for null. */
  move: (conversation: string, from: string, to: string | null) => Promise<void>;
}

/** Create a store that has loaded nothing yet. */
export function createWorkspacesStore(): WorkspacesStore {
  const store = createStore<Workspace[] | null>(null);
  const load = async () => {
    try {
      store.set(unwrap(await server.GET("/api/workspaces")));
    } catch {
      // The view in the middle shows the error when the server is gone.
    }
  };
  return {
    ...store,
    load,
    async save(id, body) {
      const params = { params: { path: { workspace: id ?? "" } } };
      const saved = unwrap(
        id === null
          ? await server.POST("/api/workspaces", { body })
          : await server.PUT("/api/workspaces/{workspace}", { ...params, body }),
      );
      await load();
      return saved;
    },
    async move(conversation, from, to) {
      const params = { params: { path: { workspace: to ?? from, conversation } } };
      if (to) await server.PUT("/api/workspaces/{workspace}/conversations/{conversation}", params);
      else await server.DELETE("/api/workspaces/{workspace}/conversations/{conversation}", params);
      await load();
    },
  };
}

export const workspacesStore = createWorkspacesStore();
onPersonGone(() => workspacesStore.set(null));

/** The id of the workspace that is open; "" for everything. */
export const openWorkspaceStore = createPersonalStore("workspace", "");

export const workspaceRemoval = createRemoval(
  (id) => `/api/workspaces/${id}`,
  () => void workspacesStore.load(),
);

/** Return the workspaces that are not being removed. */
export function useWorkspaces(): Workspace[] {
  const all = useStore(workspacesStore);
  const gone = useStore(workspaceRemoval.gone);
  return (all ?? []).filter((each) => !gone.has(each.id));
}

/** Return the workspace that is open; null for everything, and as long as it is not loaded. */
export function useOpenWorkspace(): Workspace | null {
  const id = useStore(openWorkspaceStore);
  return useWorkspaces().find((each) => each.id === id) ?? null;
}

/** Return the id of the open workspace if it is known to exist, for a request; "" for everything. */
export function getOpenWorkspace(): string {
  const id = openWorkspaceStore.get();
  return workspacesStore.get()?.some((each) => each.id === id) ? id : "";
}
