import { useCallback, useMemo, useState } from "react";
import type { PageSource } from "./PdfPage";
import type { Document, Sheet } from "./useDocument";
import { type OpenedPdf, usePdf } from "./usePdf";

export interface PageRendering {
  source: PageSource;
  /** Why the PDF cannot be drawn. */
  trouble: OpenedPdf["trouble"];
  /** The document has pages that can be drawn. */
  canDraw: boolean;
  /** Its pages are drawn, not its text. */
  isDrawn: boolean;
  /** Its slides are drawn, not its text. */
  isSlides: boolean;
  /** Its text is drawn as it looks on paper. */
  isSheet: boolean;
  /** The reader has chosen the text of a document that has pages. */
  isText: boolean;
  toggleText: () => void;
  reportBroken: () => void;
}

/** Return what a document's pages are drawn from, and whether they or its text are shown. */
export function usePageSource(document: Document, sheets: Sheet[]): PageRendering {
  const [wantsText, setWantsText] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isPdf = document.kind === "pdf" && sheets.length > 0;
  const isPicture = document.kind === "image" && sheets.length === 1;
  const hasSlides = document.kind === "pptx" && sheets.length > 0;
  const hasSheet = document.kind === "docx";
  const { pdf, trouble } = usePdf(isPdf ? document.id : null);
  const source = useMemo<PageSource>(
    () => ({ pdf, picture: isPicture ? `/api/documents/${document.id}/file` : null }),
    [pdf, isPicture, document.id],
  );
  const hasPages = (isPdf || isPicture) && !trouble && !isBroken;
  return {
    source,
    trouble,
    canDraw: hasPages || hasSlides || hasSheet,
    isDrawn: hasPages && !wantsText,
    isSlides: hasSlides && !wantsText,
    isSheet: hasSheet && !wantsText,
    isText: wantsText && (isPdf || isPicture || hasSlides || hasSheet),
    toggleText: useCallback(() => setWantsText((now) => !now), []),
    reportBroken: useCallback(() => setBroken(true), []),
  };
}
