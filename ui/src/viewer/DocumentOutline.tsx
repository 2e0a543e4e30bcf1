import { useEffect, useState } from "react";
import { useTranslate } from "../i18n";
import { loadOutline, type OutlineEntry } from "./outlineEntries";
import type { Pdf } from "./pdf";

interface DocumentOutlineProps {
  document: string;
  pdf: Pdf | null;
  onGo: (entry: OutlineEntry) => void;
}

/** The outline of a document: its own if it has one, else the headings that were found in its text. */
export function DocumentOutline({ document, pdf, onGo }: DocumentOutlineProps) {
  const t = useTranslate();
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
  return (
    <ol className="panel-list">
      {entries.map((entry) => (
        <li key={entry.key}>
          <button
            type="button"
            className="panel-entry"
            style={{ paddingLeft: indent(entry.level) }}
            onClick={() => onGo(entry)}
          >
            <span>{entry.title}</span>
            {entry.page !== null && <span className="soft small">{entry.page}</span>}
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
