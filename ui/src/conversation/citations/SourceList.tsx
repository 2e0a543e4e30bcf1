import { Icon } from "../../components/Icon";
import { LivePageLink } from "../../components/LivePageLink";
import { useTranslate } from "../../i18n";
import { joinLines } from "../../text/lineNames";
import { joinRuns, listPages } from "../../text/pageNames";
import { formatDay, getSite, isWebAddress } from "../../text/webAddresses";
import { openMark } from "../../viewer/viewerStore";
import type { Turn } from "../turns";
import { listMarks, makeMarkKey } from "./citationMarks";
import { type CitedDocument, listCitedDocuments } from "./citedDocuments";
import { useFetchDate } from "./useFetchDate";
import { selectCited } from "./verdicts";

/** The documents and web pages that an answer cites. Each opens at its first cited place. */
export function SourceList({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const sources = listCitedDocuments(selectCited(turn));
  if (!sources.length) return null;
  const isReport = turn.outline.length > 0;
  return (
    <div className={isReport ? "bibliography" : "sources"}>
      <h3 className="soft small">{t(isReport ? "conversation.bibliography" : "conversation.sources")}</h3>
      <ul>
        {sources.map((source) => (
          <li key={source.document}>
            <div className="source-row">
              <SourceButton turn={turn} source={source} />
              {isWebAddress(source.url) && (
                <LivePageLink url={source.url} quote={source.citations[0]?.quote ?? ""} title={source.title} />
              )}
            </div>
            {isReport && <SourceAddress source={source} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function SourceButton({ turn, source }: { turn: Turn; source: CitedDocument }) {
  const t = useTranslate();
  const { title, name, url, path, citations, pages } = source;
  const numbers = citations.map((each) => each.n);
  const isReport = turn.outline.length > 0;
  const open = () => {
    const mark = listMarks(turn).find((each) => each.key === makeMarkKey(turn.id, citations[0]?.n ?? 0));
    if (mark) openMark(mark);
  };
  return (
    <button type="button" className="source" onClick={open}>
      <Icon name={isWebAddress(url) ? "web" : path ? "code" : "document"} size={14} />
      <span className="source-numbers">{isReport ? joinRuns(numbers) : numbers.join(" ")}</span>
      <span className="source-title">{path ? describeLines(source) : title}</span>
      {name && !path && <span className="soft source-name">{name}</span>}
      {pages.length > 0 && <span className="soft">{listPages(t, pages)}</span>}
      {isWebAddress(url) && <span className="soft source-site">{getSite(url)}</span>}
    </button>
  );
}

/** Describe the cited lines of a file: "src/app.py:12–20, 34". */
function describeLines({ path, citations }: CitedDocument): string {
  const lines = joinLines(citations.flatMap((each) => (each.lines ? [each.lines] : [])));
  return lines ? `${path}:${lines}` : path;
}

/** The whole address of a web page and the day it was fetched, for a bibliography. */
function SourceAddress({ source: { document, url } }: { source: CitedDocument }) {
  const t = useTranslate();
  const fetched = useFetchDate(isWebAddress(url) ? document : null);
  if (!isWebAddress(url)) return null;
  return (
    <p className="bibliography-where">
      <span>{url}</span>
      {fetched !== null && <span>{t("conversation.asOf", { day: formatDay(fetched, t) })}</span>}
    </p>
  );
}
