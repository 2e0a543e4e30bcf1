import { useState } from "react";
import { useTranslate } from "../i18n";
import type { Annotation } from "./annotationStore";
import { DocumentOutline } from "./DocumentOutline";
import { NotesPanel } from "./NotesPanel";
import type { OutlineEntry } from "./outlineEntries";
import type { Pdf } from "./pdf";
import { PdfThumbnail, SlideThumbnail, Thumbnails } from "./Thumbnails";
import type { Sheet } from "./useDocument";
import type { Slides } from "./useSlides";

interface SidePanelProps {
  document: string;
  pdf: Pdf | null;
  slides: Slides | null;
  sheets: Sheet[];
  page: number;
  /** The character that is being read, where the text is shown. */
  start: number | null;
  onGo: (entry: OutlineEntry) => void;
  onPage: (page: number) => void;
  /** Whether the person's highlights and comments are shown. */
  isNotes: boolean;
  onNotes: (isNotes: boolean) => void;
  onNote: (note: Annotation) => void;
}

/** The panel beside the document: its thumbnails, its outline, or the person's highlights and comments. */
export function SidePanel({ document, pdf, slides, sheets, page, start, onGo, onPage, ...notes }: SidePanelProps) {
  const t = useTranslate();
  const [isOutline, setOutline] = useState(!pdf && !slides);
  const hasThumbnails = pdf !== null || slides !== null;
  const { isNotes, onNotes, onNote } = notes;
  const show = (isOutline: boolean) => {
    onNotes(false);
    setOutline(isOutline);
  };
  return (
    <nav className="viewer-panel" aria-label={t("viewer.panel")}>
      <div className="panel-tabs">
        {hasThumbnails && (
          <button type="button" aria-pressed={!isNotes && !isOutline} onClick={() => show(false)}>
            {t("viewer.thumbnails")}
          </button>
        )}
        <button type="button" aria-pressed={!isNotes && isOutline} onClick={() => show(true)}>
          {t("viewer.outline")}
        </button>
        <button type="button" aria-pressed={isNotes} onClick={() => onNotes(true)}>
          {t("notes.tab")}
        </button>
      </div>
      {isNotes ? (
        <NotesPanel document={document} onGo={onNote} />
      ) : pdf && !isOutline ? (
        <Thumbnails
          sheets={sheets}
          page={page}
          onPage={onPage}
          draw={(number, size) => <PdfThumbnail pdf={pdf} number={number} {...size} />}
        />
      ) : slides && !isOutline ? (
        <Thumbnails
          sheets={sheets.map((sheet) => ({ ...sheet, ...slides.size }))}
          page={page}
          onPage={onPage}
          draw={(number, size) => <SlideThumbnail document={document} slides={slides} number={number} {...size} />}
        />
      ) : (
        <DocumentOutline
          document={document}
          pdf={pdf}
          sheets={sheets}
          page={sheets.length ? page : null}
          start={start}
          onGo={onGo}
        />
      )}
    </nav>
  );
}
