import { useEffect, useState } from "react";
import { useWords } from "../words";
import { type Entry, headings } from "./headings";
import type { Pdf } from "./pdf";

interface OutlineProps {
  document: string;
  pdf: Pdf | null;
  onGo: (entry: Entry) => void;
}

/** A document's headings: its own outline where it has one, else those that were found in reading it. */
export function Outline({ document, pdf, onGo }: OutlineProps) {
  const say = useWords();
  const [entries, setEntries] = useState<Entry[] | null>(null);

  useEffect(() => {
    let isLeft = false;
    headings(document, pdf).then(
      (found) => !isLeft && setEntries(found),
      () => !isLeft && setEntries([]),
    );
    return () => {
      isLeft = true;
    };
  }, [document, pdf]);

  if (!entries) return <div className="panel-list" aria-busy="true" />;
  if (!entries.length) return <p className="panel-none soft small">{say("viewer.outlineNone")}</p>;
  return (
    <ol className="panel-list">
      {entries.map((entry) => (
        <li key={entry.key}>
          <button
            type="button"
            className="panel-entry"
            style={{ paddingLeft: 8 + 12 * Math.min(5, entry.level - 1) }}
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
