import { useState } from "react";
import { Icon } from "../../components/Icon";
import { LivePageLink } from "../../components/LivePageLink";
import { Menu } from "../../components/Menu";
import { useTranslate } from "../../i18n";
import { useSelector } from "../../state/useSelector";
import { abbreviatePage, findLastPage, joinRuns, listPages } from "../../text/pageNames";
import { formatDay, getSite, isWebAddress } from "../../text/webAddresses";
import { openMark } from "../../viewer/viewerStore";
import { conversationStore } from "../conversationStore";
import type { Turn } from "../turns";
import { listMarks, makeMarkKey } from "./citationMarks";
import { type CitedDocument, describeLines, listCitedDocuments } from "./citedDocuments";
import { ReferenceItems } from "./ReferenceItems";
import { useFetchDate } from "./useFetchDate";
import { selectCited } from "./verdicts";

/** The number of documents that a list shows before it is unfolded. */
const SHOWN = 6;
/** The number of ranges of numbers or pages that are named; the rest is in the folded list. */
const RANGES = 4;
const MAX_QUOTE = 160;

/**
 * The documents and web pages that an answer cites. Each opens at its first cited place, and unfolds to all its cited
 * places.
 */
export function SourceList({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const [isWhole, showAll] = useState(false);
  const sources = listCitedDocuments(selectCited(turn));
  if (!sources.length) return null;
  const isReport = turn.outline.length > 0;
  const shown = isReport || isWhole || sources.length <= SHOWN + 1 ? sources : sources.slice(0, SHOWN);
  return (
    <div className={isReport ? "bibliography" : "sources"}>
      <h3 className="soft small">{t(isReport ? "conversation.bibliography" : "conversation.sources")}</h3>
      <ul>
        {shown.map((source) => (
          <SourceItem key={source.document} turn={turn} source={source} />
        ))}
        {shown.length < sources.length && (
          <li>
            <button type="button" className="source more-sources" onClick={() => showAll(true)}>
              {t.count("conversation.sources.more", sources.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** A cited document, with its cited places on demand. */
function SourceItem({ turn, source }: { turn: Turn; source: CitedDocument }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const conversation = useSelector(conversationStore, ({ id }) => id);
  const places = source.citations;
  return (
    <li data-open={isOpen || undefined}>
      <div className="source-row">
        <SourceButton turn={turn} source={source} />
        {isWebAddress(source.url) && (
          <LivePageLink url={source.url} quote={places[0]?.quote ?? ""} title={source.title} />
        )}
        {(places.length > 1 || conversation) && (
          <button
            type="button"
            className="source-fold"
            aria-expanded={isOpen}
            aria-label={t.count("conversation.sources.places", places.length, { title: source.title })}
            title={t.count("conversation.sources.places", places.length, { title: source.title })}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="down" size={14} />
          </button>
        )}
      </div>
      {turn.outline.length > 0 && <SourceAddress source={source} />}
      {isOpen && conversation && (
        <Menu
          label={t("conversation.references.one", { title: source.title })}
          className="source-cite"
          trigger={
            <>
              {t("conversation.references.cite")} <Icon name="down" size={14} />
            </>
          }
        >
          {(close) => (
            <ReferenceItems scope={{ conversation, message: turn.id, document: source.document }} close={close} />
          )}
        </Menu>
      )}
      {isOpen && (
        <ol className="source-places">
          {places.map((citation) => (
            <li key={citation.n}>
              <button type="button" className="source" onClick={() => openCitation(turn, citation.n)}>
                <span className="source-numbers">{citation.n}</span>
                {citation.page !== null && (
                  <span className="soft">{abbreviatePage(t, citation, findLastPage(citation.boxes))}</span>
                )}
                <span className="source-quote">{shortenQuote(citation.quote)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

function openCitation(turn: Turn, n: number): void {
  const mark = listMarks(turn).find((each) => each.key === makeMarkKey(turn.id, n));
  if (mark) openMark(mark);
}

function shortenQuote(quote: string): string {
  const words = quote.replace(/\s+/g, " ").trim();
  return words.length > MAX_QUOTE ? `${words.slice(0, MAX_QUOTE).trimEnd()}…` : words;
}

/** Keep the first ranges of a list such as "1–3, 7, 9". */
function keepRanges(list: string): string {
  const ranges = list.split(", ");
  return ranges.length > RANGES + 1 ? `${ranges.slice(0, RANGES).join(", ")} …` : list;
}

function SourceButton({ turn, source }: { turn: Turn; source: CitedDocument }) {
  const t = useTranslate();
  const { title, name, url, path, citations, pages } = source;
  const numbers = citations.map((each) => each.n).sort((a, b) => a - b);
  return (
    <button type="button" className="source" onClick={() => openCitation(turn, citations[0]?.n ?? 0)}>
      <Icon name={isWebAddress(url) ? "web" : path ? "code" : "document"} size={14} />
      <span className="source-numbers">{keepRanges(joinRuns(numbers))}</span>
      <span className="source-title">{path ? describeLines(source) : title}</span>
      {name && !path && <span className="soft source-name">{name}</span>}
      {pages.length > 0 && <span className="soft">{keepRanges(listPages(t, pages))}</span>}
      {isWebAddress(url) && <span className="soft source-site">{getSite(url)}</span>}
    </button>
  );
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
