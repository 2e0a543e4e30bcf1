import { useState } from "react";
import { useWords } from "../words";
import type { Entry } from "./headings";
import { Outline } from "./Outline";
import type { Pdf } from "./pdf";
import type { Sheet } from "./source";
import { Thumbnails } from "./Thumbnails";

interface PanelProps {
  document: string;
  pdf: Pdf | null;
  sheets: Sheet[];
  page: number;
  onGo: (entry: Entry) => void;
  onPage: (page: number) => void;
}

/** Beside the source, on demand: its pages in small, or its headings. */
export function Panel({ document, pdf, sheets, page, onGo, onPage }: PanelProps) {
  const say = useWords();
  const [isOutline, setOutline] = useState(!pdf);
  return (
    <nav className="viewer-panel" aria-label={say("viewer.panel")}>
      {pdf && (
        <div className="panel-tabs">
          <button type="button" aria-pressed={!isOutline} onClick={() => setOutline(false)}>
            {say("viewer.thumbnails")}
          </button>
          <button type="button" aria-pressed={isOutline} onClick={() => setOutline(true)}>
            {say("viewer.outline")}
          </button>
        </div>
      )}
      {pdf && !isOutline ? (
        <Thumbnails pdf={pdf} sheets={sheets} page={page} onPage={onPage} />
      ) : (
        <Outline document={document} pdf={pdf} onGo={onGo} />
      )}
    </nav>
  );
}
