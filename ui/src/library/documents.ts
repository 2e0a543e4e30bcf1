/** The server's types of documents. */
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Document = Schemas["DocumentInfo"];
export type AddedDocument = Schemas["AddedDocument"];
export type Progress = Schemas["ProgressInfo"];
export type Status = Document["status"];

/** Return whether a document was read, so that it can be opened and asked about. */
export function isRead(status: Status): boolean {
  return status === "searchable" || status === "embedding" || status === "ready";
}

/** Put the documents that are being read above those that wait. */
export function raiseReading(documents: Document[]): Document[] {
  const first = documents.findIndex(({ status }) => status === "queued");
  if (first < 0) return documents;
  const [above, below] = [documents.slice(0, first), documents.slice(first)];
  const isReading = ({ status }: Document) => status === "reading";
  return [...above, ...below.filter(isReading), ...below.filter((each) => !isReading(each))];
}
