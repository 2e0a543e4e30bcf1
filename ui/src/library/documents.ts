/** The library's nouns, by the server's own description. */
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Document = Schemas["Document"];
export type AddedDocument = Schemas["AddedDocument"];
export type Progress = Schemas["Progress"];
export type Status = Document["status"];

/** A document that can be asked about, and opened: it has been read. */
export function isRead(status: Status): boolean {
  return status === "searchable" || status === "embedding" || status === "ready";
}
