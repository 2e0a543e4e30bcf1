import { useState } from "react";
import { useTranslate } from "../i18n";
import { DocumentOutline } from "./DocumentOutline";
import type { OutlineEntry } from "./outlineEntries";
import type { Pdf } from "./pdf";
import { Thumbnails } from "./Thumbnails";
import type { Sheet } from "./useDocument";

interface SidePanelProps {
  document: string;
  pdf: Pdf | null;
  sheets: Sheet[];
  page: number;
  /** The character that is being read, where the text is shown. */
  start: number | null;
  onGo: (entry: OutlineEntry) => void;
  onPage: (page: number) => void;
}

/** The panel beside the document: its thumbnails or its outline. */
export function SidePanel({ document, pdf, sheets, page, start, onGo, onPage }: SidePanelProps) {
  const t = useTranslate();
  const [isOutline, setOutline] = useState(!pdf);
  return (
    <nav className="viewer-panel" aria-label={t("viewer.panel")}>
      {pdf && (
        <div className="panel-tabs">
          <button type="button" aria-pressed={!isOutline} onClick={() => setOutline(false)}>
            {t("viewer.thumbnails")}
          </button>
          <button type="button" aria-pressed={isOutline} onClick={() => setOutline(true)}>
            {t("viewer.outline")}
          </button>
        </div>
      )}
      {pdf && !isOutline ? (
        <Thumbnails pdf={pdf} sheets={sheets} page={page} onPage={onPage} />
      ) : (
        <DocumentOutline document={document} pdf={pdf} page={sheets.length ? page : null} start={start} onGo={onGo} />
      )}
    </nav>
  );
}
