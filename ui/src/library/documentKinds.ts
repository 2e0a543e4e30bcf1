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

const KIND_ICONS: Record<Kind, IconName> = {
  pdf: "filePdf",
  docx: "fileWord",
  odt: "fileWord",
  rtf: "fileWord",
  pptx: "fileSlides",
  xlsx: "fileSheet",
  csv: "fileSheet",
  html: "fileWeb",
  markdown: "fileMarkdown",
  text: "fileText",
  code: "fileCode",
  json: "fileCode",
  notebook: "fileCode",
  email: "fileMail",
  image: "filePicture",
  epub: "library",
};

/** Return the icon of a document: that it failed, a page of the web, or the kind of file. */
export function getIcon({ kind, url, status }: Pick<Document, "kind" | "url" | "status">): IconName {
  if (status === "failed") return "fileFailed";
  return url ? "web" : KIND_ICONS[kind];
}
