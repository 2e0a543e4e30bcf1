import type { Kind } from "../api/shapes";
import type { IconName } from "../look/Icon";
import type { Key } from "../words";
import type { Document } from "./documents";

/** What each kind of document is called. */
export const KINDS: Record<Kind, Key> = {
  pdf: "library.kind.pdf",
  docx: "library.kind.docx",
  pptx: "library.kind.pptx",
  xlsx: "library.kind.xlsx",
  html: "library.kind.html",
  markdown: "library.kind.markdown",
  text: "library.kind.text",
  csv: "library.kind.csv",
  code: "library.kind.code",
  json: "library.kind.json",
  epub: "library.kind.epub",
  email: "library.kind.email",
  image: "library.kind.image",
  notebook: "library.kind.notebook",
  rtf: "library.kind.rtf",
  odt: "library.kind.odt",
};

/** The icon of a document: where it came from, or that it is one. */
export function iconOf(document: Document): IconName {
  return document.kind === "html" || document.url ? "web" : "document";
}
