import { choose } from "../desk";
import { Icon } from "../look/Icon";
import { joinRuns, listPages } from "../pageNames";
import { dayOf, isLive, siteOf } from "../sites";
import { useWords } from "../words";
import { useFetched } from "./fetched";
import { madeCitations } from "./forms";
import { Live } from "./Live";
import { markKey, marksOf } from "./marks";
import { type Cited, sourcesOf } from "./sources";
import type { Turn } from "./turns";

/** What an answer rests on, documents and pages of the web; each opens at the first place that is cited. */
export function Sources({ turn }: { turn: Turn }) {
  const say = useWords();
  const sources = sourcesOf(madeCitations(turn));
  if (!sources.length) return null;
  const isReport = turn.outline.length > 0;
  return (
    <div className={isReport ? "bibliography" : "sources"}>
      <h3 className="soft small">{say(isReport ? "conversation.bibliography" : "conversation.sources")}</h3>
      <ul>
        {sources.map((source) => (
          <li key={source.document}>
            <div className="source-row">
              <SourceButton turn={turn} source={source} />
              {isLive(source.url) && (
                <Live url={source.url} quote={source.citations[0]?.quote ?? ""} title={source.title} />
              )}
            </div>
            {isReport && <Where source={source} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function SourceButton({ turn, source }: { turn: Turn; source: Cited }) {
  const say = useWords();
  const { title, name, url, citations, pages } = source;
  const numbers = citations.map((each) => each.n);
  const isReport = turn.outline.length > 0;
  const open = () => {
    const mark = marksOf(turn).find((each) => each.key === markKey(turn.id, citations[0]?.n ?? 0));
    if (mark) choose(mark);
  };
  return (
    <button type="button" className="source" onClick={open}>
      <Icon name={isLive(url) ? "web" : "document"} size={14} />
      <span className="source-numbers">{isReport ? joinRuns(numbers) : numbers.join(" ")}</span>
      <span className="source-title">{title}</span>
      {name && <span className="soft source-name">{name}</span>}
      {pages.length > 0 && <span className="soft">{listPages(say, pages)}</span>}
      {isLive(url) && <span className="soft source-site">{siteOf(url)}</span>}
    </button>
  );
}

/** In a bibliography: the whole address, and the day its copy is of. */
function Where({ source: { document, url } }: { source: Cited }) {
  const say = useWords();
  const fetched = useFetched(isLive(url) ? document : null);
  if (!isLive(url)) return null;
  return (
    <p className="bibliography-where">
      <span>{url}</span>
      {fetched !== null && <span>{say("conversation.asOf", { day: dayOf(fetched, say) })}</span>}
    </p>
  );
}
