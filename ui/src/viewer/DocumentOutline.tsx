import { useEffect, useState } from "react";
import { useTranslate } from "../i18n";
import { getNumberedPage, getPrintedNumber } from "../text/pageNames";
import { findCurrentEntry, loadOutline, type OutlineEntry } from "./outlineEntries";
import type { Pdf } from "./pdf";
import type { Sheet } from "./useDocument";

interface DocumentOutlineProps {
  document: string;
  pdf: Pdf | null;
  sheets: Sheet[];
  /** The page that is being read, or the character where the text is shown. */
  page: number | null;
  start: number | null;
  onGo: (entry: OutlineEntry) => void;
}

/** The outline of a document: its own if it has one, else the headings that were found in its text. */
export function DocumentOutline({ document, pdf, sheets, page, start, onGo }: DocumentOutlineProps) {
  const t = useTranslate();
  const [goneTo, setGoneTo] = useState<string | null>(null);
  const [entries, setEntries] = useState<OutlineEntry[] | null>(null);

  useEffect(() => {
    let isLeft = false;
    loadOutline(document, pdf).then(
      (found) => !isLeft && setEntries(found),
      () => !isLeft && setEntries([]),
    );
    return () => {
      isLeft = true;
    };
  }, [document, pdf]);

  if (!entries) return <div className="panel-list" aria-busy="true" />;
  if (!entries.length) return <p className="panel-none soft small">{t("viewer.outlineNone")}</p>;
  const current = findCurrentEntry(entries, { page, start, goneTo });
  return (
    <ol className="panel-list">
      {entries.map((entry) => (
        <li key={entry.key}>
          <button
            type="button"
            className="panel-entry"
            style={{ paddingLeft: indent(entry.level) }}
            aria-current={entry === current ? "location" : undefined}
            onClick={() => {
              setGoneTo(entry.key);
              onGo(entry);
            }}
          >
            <span>{entry.title}</span>
            {entry.page !== null && (
              <span className="panel-page soft small">{getPrintedNumber(getNumberedPage(sheets, entry.page))}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Return the indentation of a heading; headings below the sixth level are not indented further. */
function indent(level: number): string {
  return `calc(var(--space-8) + ${Math.min(5, level - 1)} * var(--space-12))`;
}
