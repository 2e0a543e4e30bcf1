/** The notebooks of the person: the list of them, the one that is open, and the one in which things are kept. */
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import type { Citation, Sentence } from "../api/types";
import { createPersonalStore } from "../state/persistentStore";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";
import { getOpenWorkspace } from "../workspaces/workspacesStore";

type Schemas = components["schemas"];
export type NotebookSummary = Schemas["NotebookSummary"];
export type NotebookItem = Omit<Schemas["NotebookItem"], "citations" | "sentences"> & {
  citations: Citation[];
  sentences: Sentence[];
};
export type WholeNotebook = Omit<Schemas["WholeNotebook"], "kept"> & { kept: NotebookItem[] };
export type KeptThing =
  | Pick<Schemas["KeepText"], "kind" | "text">
  | Pick<Schemas["KeepAnswer"], "kind" | "message">
  | Pick<Schemas["KeepSentence"], "kind" | "message" | "sentence">
  | Pick<Schemas["KeepCitation"], "kind" | "message" | "citation">
  | (Pick<Schemas["KeepPassage"], "kind" | "document" | "start" | "end"> & { comment?: string });

/** A thing that was kept, in its notebook. */
export interface KeptItem {
  notebook: NotebookSummary;
  item: NotebookItem;
  /** Whether it was not in the notebook before. */
  isNew: boolean;
}

export interface NotebookState {
  /** The notebooks of the open workspace, or all; the one changed last first; null until they are loaded. */
  notebooks: NotebookSummary[] | null;
  /** The notebook that is shown; null while it is loaded. */
  open: WholeNotebook | null;
  problem: Problem | null;
}

export interface NotebookStore extends Store<NotebookState> {
  /** Load the list of notebooks. */
  load: () => Promise<void>;
  /** Show a notebook. Later things are kept in it. */
  show: (id: string) => Promise<void>;
  /** Begin a notebook in the open workspace, and show it. */
  create: (title: string) => Promise<NotebookSummary>;
  rename: (id: string, title: string) => Promise<void>;
  /** Put a notebook into a workspace, or out of its own for "". */
  place: (notebook: NotebookSummary, workspace: string) => Promise<void>;
  /**
   * Keep a thing in the current notebook, or in the one that is given; `title` is that of the first notebook, which is
   * made if there is none.
   */
  keep: (thing: KeptThing, title: string, into?: NotebookSummary) => Promise<KeptItem>;
  /** Change a comment or the person's own words. */
  change: (item: NotebookItem, change: { text?: string; comment?: string }) => Promise<void>;
  /** Move a thing to another place in the open notebook, from 0. */
  move: (id: string, place: number) => Promise<void>;
  /** Give a thing to another notebook. */
  transfer: (item: NotebookItem, notebook: string) => Promise<void>;
  /** Remove a notebook or a thing from what is shown, once the server has removed it. */
  drop: (id: string) => void;
}

/** The status of an answer to a request that added something. */
const CREATED = 201;

const EMPTY: NotebookState = { notebooks: null, open: null, problem: null };

/** The id of the notebook in which things are kept; "" for the one changed last. */
export const currentNotebook = createPersonalStore("notebook", "");
/** Whether the panel with the current notebook is open. */
export const notebookPanel = createStore(false);

/** The narrowest window, in pixels, in which notebook and source both fit beside the view; notebook.css has it too. */
export const MIN_WIDTH_FOR_BOTH = 1201;

/** Create a store without notebooks. */
export function createNotebookStore(): NotebookStore {
  const store = createStore(EMPTY);
  let shown = "";

  const update = (change: (open: WholeNotebook) => WholeNotebook) =>
    store.set((now) => (now.open ? { ...now, open: change(now.open) } : now));
  const replaceItem = (item: NotebookItem) =>
    update((open) => ({ ...open, kept: open.kept.map((each) => (each.id === item.id ? item : each)) }));
  const put = (notebook: NotebookSummary) =>
    store.set((now) => ({
      ...now,
      notebooks: [notebook, ...(now.notebooks ?? []).filter((each) => each.id !== notebook.id)],
    }));

  /** List the notebooks of the open workspace, or all of them. */
  const list = async () => {
    const workspace = getOpenWorkspace();
    return unwrap(await server.GET("/api/notebooks", { params: { query: workspace ? { workspace } : {} } }));
  };
  const load = async () => {
    try {
      const notebooks = await list();
      store.set((now) => ({ ...now, notebooks, problem: null }));
    } catch (error) {
      store.set((now) => ({ ...now, problem: toProblem(error) }));
    }
  };
  const show = async (id: string) => {
    shown = id;
    currentNotebook.set(id);
    store.set((now) => (now.open?.id === id ? now : { ...now, open: null, problem: null }));
    try {
      const params = { path: { notebook: id } };
      const open = unwrap(await server.GET("/api/notebooks/{notebook}", { params })) as WholeNotebook;
      if (shown === id) store.set((now) => ({ ...now, open, problem: null }));
    } catch (error) {
      if (shown === id) store.set((now) => ({ ...now, problem: toProblem(error) }));
    }
  };
  const create = async (title: string) => {
    const made = unwrap(
      await server.POST("/api/notebooks", { body: { title, workspace: getOpenWorkspace() || null } }),
    );
    put(made);
    shown = made.id;
    currentNotebook.set(made.id);
    store.set((now) => ({ ...now, open: { ...made, kept: [], missing: [] }, problem: null }));
    return made;
  };
  const patch = async (item: NotebookItem, body: Schemas["ItemChange"]) => {
    const path = { notebook: item.notebook, item: item.id };
    const answer = await server.PATCH("/api/notebooks/{notebook}/items/{item}", { params: { path }, body });
    return unwrap(answer) as NotebookItem;
  };

  return {
    ...store,
    load,
    show,
    create,
    async rename(id, title) {
      const renamed = unwrap(
        await server.PATCH("/api/notebooks/{notebook}", { params: { path: { notebook: id } }, body: { title } }),
      );
      put(renamed);
      update((open) => (open.id === id ? { ...open, title: renamed.title } : open));
    },
    async place({ id, workspace: former }, workspace) {
      const params = { path: { workspace: workspace || (former ?? ""), notebook: id } };
      if (workspace) await server.PUT("/api/workspaces/{workspace}/notebooks/{notebook}", { params });
      else await server.DELETE("/api/workspaces/{workspace}/notebooks/{notebook}", { params });
      update((open) => (open.id === id ? { ...open, workspace } : open));
      await load();
    },
    async keep(thing, title, into) {
      const notebooks = await list();
      store.set((now) => ({ ...now, notebooks }));
      const wanted = into?.id ?? currentNotebook.get();
      const notebook = notebooks.find((each) => each.id === wanted) ?? into ?? notebooks[0] ?? (await create(title));
      const params = { path: { notebook: notebook.id } };
      const body = { comment: "", ...thing } as Schemas["KeepText"];
      const answer = await server.POST("/api/notebooks/{notebook}/items", { params, body });
      const item = unwrap(answer) as NotebookItem;
      const isNew = answer.response.status === CREATED;
      if (!into) currentNotebook.set(notebook.id);
      if (isNew) {
        put({ ...notebook, items: notebook.items + 1 });
        update((open) => (open.id === notebook.id ? { ...open, kept: [...open.kept, item] } : open));
      }
      return { notebook, item, isNew };
    },
    async change(item, change) {
      replaceItem(await patch(item, change));
    },
    async move(id, place) {
      const before = store.get().open;
      const item = before?.kept.find((each) => each.id === id);
      if (!before || !item) return;
      const kept = before.kept.filter((each) => each.id !== id);
      kept.splice(place, 0, item);
      update((open) => ({ ...open, kept }));
      try {
        await patch(item, { place });
      } catch (error) {
        update((open) => (open.id === before.id ? { ...open, kept: before.kept } : open));
        throw error;
      }
    },
    async transfer(item, notebook) {
      await patch(item, { notebook });
      update((open) => ({ ...open, kept: open.kept.filter((each) => each.id !== item.id) }));
      await load();
    },
    drop(id) {
      store.set((now) => ({
        ...now,
        notebooks: now.notebooks?.filter((each) => each.id !== id) ?? null,
        open:
          now.open && now.open.id !== id ? { ...now.open, kept: now.open.kept.filter((each) => each.id !== id) } : null,
      }));
    },
  };
}

export const notebookStore = createNotebookStore();
onPersonGone(() => {
  notebookStore.set(EMPTY);
  notebookPanel.set(false);
});

/** The removal of notebooks, with undo. */
export const notebookRemoval = createRemoval(
  (id) => `/api/notebooks/${id}`,
  () => void notebookStore.load(),
);
/** The removal of kept things, with undo. Their ids are `NOTEBOOK/items/ITEM`. */
export const itemRemoval = createRemoval(
  (id) => `/api/notebooks/${id}`,
  () => void notebookStore.load(),
);

/** Make the id of a kept thing for its removal. */
export function makeRemovalId({ notebook, id }: NotebookItem): string {
  return `${notebook}/items/${id}`;
}
