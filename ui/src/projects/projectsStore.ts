/** The projects of the server: folders on its disk that it was started on. */
import { server, unwrap } from "../api/client";
import type { Project } from "../api/types";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";

export interface ProjectsStore extends Store<Project[]> {
  /** Load the projects. If the server does not answer, the earlier ones stay. */
  load: () => Promise<void>;
}

/** Create a store that has loaded nothing yet. */
export function createProjectsStore(): ProjectsStore {
  const store = createStore<Project[]>([]);
  const load = async () => {
    try {
      store.set(unwrap(await server.GET("/api/projects")).projects);
    } catch {
      // The question itself shows the error when the server is gone.
    }
  };
  return { ...store, load };
}

export const projectsStore = createProjectsStore();
onPersonGone(() => projectsStore.set([]));

/** Whether the files of the project are shown beside the open file. */
export const treeOpenStore = createStore(false);

/** Counts the times that this page has changed files of a project, so that open files are loaded again. */
export const fileVersionStore = createStore(0);

/** Return the name of a project, or its id while it is not known. */
export function nameProject(projects: readonly Project[], id: string): string {
  return projects.find((each) => each.id === id)?.name ?? id;
}
