import type { Kind } from "../api/types";
import type { IconName } from "../components/Icon";
import type { MessageKey } from "../i18n";
import { type Document, isRead } from "./documents";

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

/** The endings of files that are not the name of their kind. */
const KINDS_BY_ENDING = new Map<string, Kind>(
  Object.entries({
    ...{ docm: "docx", odp: "pptx", pptm: "pptx", ods: "xlsx", xlsm: "xlsx", tsv: "csv", htm: "html", md: "markdown" },
    ...{ eml: "email", msg: "email", ipynb: "notebook", png: "image", jpg: "image", jpeg: "image", tif: "image" },
    ...{ tiff: "image", webp: "image", gif: "image" },
  }),
);

/** Return the kind of a document. Until it is read the server does not know it, and the ending of its name tells it. */
export function getKind({ kind, name, status }: Pick<Document, "kind" | "name" | "status">): Kind {
  if (isRead(status)) return kind;
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return KINDS_BY_ENDING.get(ending) ?? (Object.hasOwn(KIND_ICONS, ending) ? (ending as Kind) : kind);
}

/** Return the icon of a document: that it failed, a page of the web, or the kind of file. */
export function getIcon(document: Pick<Document, "kind" | "name" | "url" | "status">): IconName {
  if (document.status === "failed") return "fileFailed";
  return document.url ? "web" : KIND_ICONS[getKind(document)];
}
