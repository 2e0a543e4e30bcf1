import { useEffect, useRef } from "react";
import { IconButton } from "../components/IconButton";
import { LivePageLink } from "../components/LivePageLink";
import { CitedRows } from "../conversation/citations/CitedRows";
import { makeMarkKey } from "../conversation/citations/citationMarks";
import type { Turn } from "../conversation/turns";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { nameLines } from "../text/lineNames";
import { namePage } from "../text/pageNames";
import { isWebAddress } from "../text/webAddresses";
import { closeViewer, stepMark, viewerStore } from "../viewer/viewerStore";

/** The quote of the chosen citation, in place of its document, which a link does not open. */
export function SharedSource({ turns }: { turns: Turn[] }) {
  const t = useTranslate();
  const { chosenKey, marks, request } = useStore(viewerStore);
  const body = useRef<HTMLDivElement>(null);
  const place = marks.findIndex(({ key }) => key === chosenKey);
  const mark = marks[place];
  const citation = turns
    .flatMap((turn) => turn.citations.map((each) => ({ ...each, key: makeMarkKey(turn.id, each.n) })))
    .find(({ key }) => key === chosenKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request begins at the top
  useEffect(() => {
    body.current?.scrollTo(0, 0);
  }, [request]);
  if (!mark) return null;
  const title = mark.path ? nameLines({ path: mark.path, lines: mark.lines ?? null }) : mark.title;
  const url = citation && isWebAddress(citation.url) ? citation.url : null;
  return (
    <aside className="viewer shared-source" aria-label={t("viewer.source")}>
      <header className="shared-bar">
        <h2>
          {title}
          {mark.page !== null && <span className="soft"> {namePage(t, mark)}</span>}
        </h2>
        <IconButton icon="back" label={t("viewer.previousCitation")} onClick={() => stepMark(-1)} />
        <span className="soft small" title={t("viewer.ofCitations", { place: place + 1, count: marks.length })}>
          {t("viewer.citationNumber", { n: mark.n ?? place + 1 })}
        </span>
        <IconButton icon="forward" label={t("viewer.nextCitation")} onClick={() => stepMark(1)} />
        <IconButton icon="close" label={t("viewer.close")} onClick={closeViewer} />
      </header>
      <div className="shared-quote" ref={body} aria-live="polite">
        {citation?.rows.length ? <CitedRows rows={citation.rows} /> : <blockquote>{mark.quote}</blockquote>}
        {url ? (
          <LivePageLink url={url} quote={mark.quote} />
        ) : (
          <p className="soft small">{t("sharing.shown.locked")}</p>
        )}
      </div>
    </aside>
  );
}
