/** The tags of documents, and the actions on many documents at once. */
import { server, unwrap } from "../api/client";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { librariesStore } from "./librariesStore";
import { progressStream } from "./progressStream";

const MAX_AT_ONCE = 200;

/** The tags that documents have. */
export const tagStore = createStore<string[]>([]);
onPersonGone(() => tagStore.set([]));

/** Load the tags. If the server does not answer, the earlier ones stay. */
export async function loadTags(): Promise<void> {
  try {
    tagStore.set(unwrap(await server.GET("/api/tags")).map(({ tag }) => tag));
  } catch {
    // The list of documents shows the error when the server is gone.
  }
}

/** Add a tag to documents. */
export async function addTag(documents: string[], tag: string): Promise<void> {
  await inParts(documents, (part) =>
    server.POST("/api/documents/tags", { body: { documents: part, add: [tag], remove: [] } }),
  );
  await loadTags();
}

/** Remove a tag from documents. */
export async function removeTag(documents: string[], tag: string): Promise<void> {
  await inParts(documents, (part) =>
    server.POST("/api/documents/tags", { body: { documents: part, add: [], remove: [tag] } }),
  );
  await loadTags();
}

/** Move documents to another library. */
export async function moveDocuments(documents: string[], library: string): Promise<void> {
  await inParts(documents, (part) => server.POST("/api/documents/move", { body: { documents: part, library } }));
  librariesStore.loadSoon();
}

async function inParts(documents: string[], send: (part: string[]) => Promise<unknown>): Promise<void> {
  try {
    for (let from = 0; from < documents.length; from += MAX_AT_ONCE)
      await send(documents.slice(from, from + MAX_AT_ONCE));
  } finally {
    progressStream.refreshSoon();
  }
}
