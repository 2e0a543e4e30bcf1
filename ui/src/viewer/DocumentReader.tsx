import type { ReactNode } from "react";
import { IconButton } from "../components/IconButton";
import { useTranslate } from "../i18n";
import { DocumentStatus } from "./DocumentStatus";
import { DocumentView } from "./DocumentView";
import { QuoteBar } from "./QuoteBar";
import { ViewerTitle } from "./TruncatedTitle";
import { useDocument } from "./useDocument";
import type { FoundPlace, Mark } from "./viewerStore";
import "./viewer.css";
import "./sidePanel.css";
import "./pages.css";
import "./textView.css";
import "./codeView.css";
import "./annotations.css";

/** The document that is read and the position in it. `request` changes with every request to go somewhere. */
export interface ReadingPosition {
  document: string;
  page: number | null;
  chosenKey: string | null;
  marks: Mark[];
  request: number;
}

export interface DocumentReaderProps {
  reading: ReadingPosition;
  onChoose: (mark: Mark) => void;
  onStep: (by: 1 | -1) => void;
  onClose: (() => void) | null;
  /** Opens another document in place of this one. */
  onOther: (document: string) => void;
  /** Opens a passage that was found by a search. */
  onFound: (passage: FoundPlace) => void;
  /** Opens a file of a project in place of this document. */
  onFile?: (project: string, path: string) => void;
  /** Renders something beside the title. */
  lead?: (title: string) => ReactNode;
}

/** A document with its marks, or its status while it cannot be shown. */
export function DocumentReader(props: DocumentReaderProps) {
  const t = useTranslate();
  const { reading, onClose } = props;
  const { source, again } = useDocument(reading.document);
  if (source.status === "there") {
    return <DocumentView key={source.document.id} document={source.document} sheets={source.sheets} {...props} />;
  }
  const known =
    "document" in source ? source.document.title : reading.marks.find(isInDocument(reading.document))?.title;
  return (
    <div className="reader">
      <header className="viewer-bar">
        <ViewerTitle text={known || t("viewer.source")} isPage={!onClose} />
        {onClose && <IconButton icon="close" label={t("viewer.close")} onClick={onClose} />}
      </header>
      <QuoteBar mark={reading.marks.find((mark) => mark.key === reading.chosenKey) ?? null} />
      <DocumentStatus source={source} again={again} />
    </div>
  );
}

function isInDocument(document: string) {
  return (mark: Mark) => mark.document === document;
}
