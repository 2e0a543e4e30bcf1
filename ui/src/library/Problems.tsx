import { useWords } from "../words";

/** What could not be read of a document that was read, on demand. */
export function Problems({ problems }: { problems: string[] }) {
  const say = useWords();
  return (
    <details className="problems small">
      <summary>{say.count("library.problems", problems.length)}</summary>
      <ul>
        {[...new Set(problems)].map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </details>
  );
}
