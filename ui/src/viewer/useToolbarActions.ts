import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { darkPagesStore } from "./darkPages";
import { makeLink } from "./documentAddress";
import type { ToolbarAction } from "./Toolbar";
import type { Document } from "./useDocument";
import type { Mark } from "./viewerStore";

interface ToolbarContext {
  document: Document;
  chosen: Mark | null;
  page: number | null;
  isText: boolean;
  canDraw: boolean;
  /** Whether the pages are dark; null if the document has none that are drawn. */
  isDark: boolean | null;
  onText: () => void;
  onRotate: (() => void) | null;
}

/** Return the toolbar's actions on a document. */
export function useToolbarActions({
  document,
  chosen,
  page,
  isText,
  canDraw,
  isDark,
  onText,
  onRotate: onTurn,
}: ToolbarContext): ToolbarAction[] {
  const t = useTranslate();
  const acts: ToolbarAction[] = [];
  if (onTurn) acts.push({ icon: "rotate", label: t("viewer.rotate"), run: onTurn });
  if (isDark !== null) {
    const label = t(isDark ? "viewer.lightPages" : "viewer.darkPages");
    acts.push({ icon: isDark ? "sun" : "moon", label, run: () => darkPagesStore.set(!isDark) });
  }
  if (canDraw) {
    acts.push(
      isText
        ? { icon: "document", label: t("viewer.asPages"), run: onText }
        : { icon: "fileText", label: t("viewer.asText"), run: onText },
    );
  }
  const link = new URL(makeLink(document.id, chosen, page), location.href).href;
  const copy = () =>
    writeClipboard(link).then(
      () => showToast(t("viewer.linkCopied")),
      () => showToast(t("viewer.linkIs", { link }), undefined, 20),
    );
  acts.push({ icon: "link", label: t(chosen ? "viewer.copyPassage" : "viewer.copyLink"), run: copy });
  acts.push({ icon: "open", label: t("viewer.original"), href: `/api/documents/${document.id}/file` });
  return acts;
}

/** Copy a text; rejects where the browser forbids it, and the caller shows the link instead. */
async function writeClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
