import type { Document } from "../viewer/useDocument";
import type { ProjectPath } from "../viewer/viewerStore";

/** The names of the libraries that keep the files of projects as they were read begin like this. */
const LIBRARY = "project:";

/** Find the project and the path of a document that is a file of a project as it was read; null for any other. */
export function findProjectPath({ libraries, metadata }: Pick<Document, "libraries" | "metadata">): ProjectPath | null {
  if (!libraries.some((name) => name.startsWith(LIBRARY))) return null;
  const { project, path } = metadata;
  return project && path ? { project, path } : null;
}
