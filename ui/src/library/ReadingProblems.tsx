import { useTranslate } from "../i18n";
import type { Document } from "./documents";

/** The parts of a document that could not be read, and what is good to know of the others, each on demand. */
export function ReadingProblems({ document }: { document: Pick<Document, "problems" | "notes"> }) {
  const t = useTranslate();
  const { problems, notes } = document;
  return (
    <>
      {problems.length > 0 && <Told name={t.count("library.problems", problems.length)} lines={problems} />}
      {notes.length > 0 && <Told name={t.count("library.notes", notes.length)} lines={notes} isNote />}
    </>
  );
}

function Told({ name, lines, isNote }: { name: string; lines: string[]; isNote?: boolean }) {
  return (
    <details className={isNote ? "problems small soft" : "problems small failing"}>
      <summary>{name}</summary>
      <ul>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
