/** The sample documents that come with the program. */
import { server, unwrap } from "../api/client";
import type { Document } from "./documents";
import { waitUntilSearchable } from "./upload";

/** Add the samples and wait until they can be asked about. The one in this language becomes the newest document. */
export async function addSamples(language: "en" | "fr"): Promise<Document[]> {
  const added = unwrap(await server.POST("/api/samples", { body: { language } }));
  return Promise.all(added.map(({ id }) => waitUntilSearchable(id)));
}
