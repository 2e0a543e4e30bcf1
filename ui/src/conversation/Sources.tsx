import { choose } from "../desk";
import { useWords } from "../words";
import { markKey, marksOf } from "./marks";
import { pageRuns, sourcesOf } from "./sources";
import type { Turn } from "./turns";

/** The documents an answer rests on; each opens at the first place that is cited. */
export function Sources({ turn }: { turn: Turn }) {
  const say = useWords();
  const sources = sourcesOf(turn.citations);
  if (!sources.length) return null;
  const open = (n: number) => {
    const mark = marksOf(turn).find((each) => each.key === markKey(turn.id, n));
    if (mark) choose(mark);
  };
  return (
    <div className="sources">
      <h3 className="soft small">{say("conversation.sources")}</h3>
      <ul>
        {sources.map(({ document, title, citations, pages }) => (
          <li key={document}>
            <button type="button" className="source" onClick={() => open(citations[0]?.n ?? 0)}>
              <span className="source-numbers">{citations.map((each) => each.n).join(" ")}</span>
              <span className="source-title">{title}</span>
              {pages.length > 0 && (
                <span className="soft">
                  {say.count("conversation.pages", pages.length, { pages: pageRuns(pages) })}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
