import type { Kind } from "../api/types";
import type { IconName } from "../components/Icon";
import type { MessageKey } from "../i18n";
import type { Document } from "./documents";

/** The names of the kinds of documents. */
export const KIND_LABELS: Record<Kind, MessageKey> = {
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

/** Return the icon of a document: a web page or a file. */
export function getIcon(document: Document): IconName {
  return document.kind === "html" || document.url ? "web" : "document";
}
