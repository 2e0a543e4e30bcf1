import { useTranslate } from "../i18n";

/** The parts of a document that could not be read, on demand. */
export function ReadingProblems({ problems }: { problems: string[] }) {
  const t = useTranslate();
  return (
    <details className="problems small">
      <summary>{t.count("library.problems", problems.length)}</summary>
      <ul>
        {[...new Set(problems)].map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </details>
  );
}
