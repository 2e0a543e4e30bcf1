import { useTranslate } from "../i18n";
import { formatSize } from "../text/formatAmounts";
import type { Libraries } from "./librariesStore";

/** The number of documents and pages, and the space they take. Pages that answers have read are counted apart. */
export function LibrarySize({ held }: { held: Libraries }) {
  const t = useTranslate();
  if (!held.documents) return null;
  const own = held.documents - held.web_pages;
  const parts = [
    ...(own ? [t.count("library.documents", own)] : []),
    ...(held.pages ? [t.count("library.pages", held.pages)] : []),
    ...(held.web_pages ? [t.count("library.webPages", held.web_pages)] : []),
    // Only an owner of the server is told how much it stores for everybody.
    t("library.stored", { size: formatSize(held.stored ?? held.bytes, t.language) }),
  ];
  return <p className="soft">{parts.join(" · ")}</p>;
}
