import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { fileVersionStore } from "../projects/projectsStore";
import { useStore } from "../state/store";
import type { ProjectPath } from "./viewerStore";

export type ProjectText = components["schemas"]["ProjectText"];

interface LoadedFile {
  found: ProjectText | null;
  problem: Problem | null;
}

const NOTHING: LoadedFile = { found: null, problem: null };

/** Load a file of a project as it is on disk; nothing while none is chosen. A new `request` and a change by this page load it again. */
export function useProjectFile({ project, path }: ProjectPath, request = 0): LoadedFile {
  const [state, set] = useState<LoadedFile & { key: string }>({ ...NOTHING, key: "" });
  const key = `${project} ${path}`;
  const version = useStore(fileVersionStore);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number loads again
  useEffect(() => {
    if (!path) return;
    const leaving = new AbortController();
    const params = { path: { project }, query: { path } };
    server.GET("/api/projects/{project}/files", { params, signal: leaving.signal }).then(
      (answer) => set({ found: unwrap(answer), problem: null, key }),
      (error: unknown) => {
        if (!leaving.signal.aborted) set({ found: null, problem: toProblem(error), key });
      },
    );
    return () => leaving.abort();
  }, [project, path, key, request, version]);
  return state.key === key ? state : NOTHING;
}
