import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { server, unwrap } from "../api/client";
import { toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { SearchField } from "../components/SearchField";
import { showToast } from "../components/toastStore";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { abbreviatePage } from "../text/pageNames";
import { useOpenWorkspace } from "../workspaces/workspacesStore";
import { notebookRemoval, notebookStore } from "./notebookStore";
import "./notebook.css";

type FoundNote = components["schemas"]["FoundNoteOf"];

/** The list of notebooks, and a search in everything that was kept or written beside a source. */
export default function Notebooks() {
  const t = useTranslate();
  const [, go] = useLocation();
  const { notebooks, problem } = useStore(notebookStore);
  const gone = useStore(notebookRemoval.gone);
  const workspace = useOpenWorkspace()?.id;
  const [words, setWords] = useState("");
  useDocumentTitle(t("notebook.title"));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store lists the notebooks of the open workspace
  useEffect(() => {
    void notebookStore.load();
  }, [workspace]);
  const shown = (notebooks ?? []).filter((each) => !gone.has(each.id));
  const create = () =>
    notebookStore.create(t("notebook.new.title")).then(
      ({ id }) => go(`/notebooks/${id}`),
      (error) => showToast(describeError(t, toProblem(error)).message),
    );
  return (
    <main className="main room" id="main">
      <div className="room-inside notebooks">
        <header className="room-head">
          <h1>{t("notebook.title")}</h1>
          <button type="button" className="button main" onClick={create}>
            <Icon name="add" size={16} /> {t("notebook.new")}
          </button>
        </header>
        <search className="notebooks-search">
          <SearchField label={t("notebook.search")} words={words} onWords={setWords} />
          <HighlightsExport />
        </search>
        {problem && (
          <ErrorMessage fault={problem}>
            <button type="button" className="button" onClick={() => void notebookStore.load()}>
              {t("notebook.again")}
            </button>
          </ErrorMessage>
        )}
        {words.trim() ? (
          <FoundNotes words={words.trim()} />
        ) : (
          <ul className="notebooks-list">
            {shown.map(({ id, title, items, updated }) => (
              <li key={id}>
                <Link to={`/notebooks/${id}`} className="notebook-title">
                  {title}
                </Link>
                <span className="soft small">{t.count("notebook.items", items)}</span>
                <time
                  className="soft small"
                  dateTime={new Date(updated * 1000).toISOString()}
                  title={formatMoment(updated, t.language)}
                >
                  {formatWhen(updated, t.language)}
                </time>
              </li>
            ))}
          </ul>
        )}
        {notebooks && !shown.length && !words.trim() && <p className="empty">{t("notebook.begin")}</p>}
      </div>
    </main>
  );
}

/** A menu that exports the highlights and comments on all documents. */
function HighlightsExport() {
  const t = useTranslate();
  return (
    <Menu label={t("notes.export.all")} trigger={<Icon name="export" />}>
      {(close) =>
        (["md", "csv"] as const).map((format) => (
          <a
            key={format}
            role="menuitem"
            className="menu-item"
            href={`/api/annotations/export?format=${format}&language=${t.language}`}
            download
            onClick={close}
          >
            <Icon name="export" size={16} /> {t(`notes.export.${format}`)}
          </a>
        ))
      }
    </Menu>
  );
}

/** The notebooks, kept things and highlights that contain the words. */
function FoundNotes({ words }: { words: string }) {
  const t = useTranslate();
  const [found, setFound] = useState<FoundNote[] | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const search = async () => {
      const init = { params: { query: { q: words } }, signal: leaving.signal };
      setFound(unwrap(await server.GET("/api/notebooks/search", init)));
    };
    search().catch((error: unknown) => {
      if (!leaving.signal.aborted) showToast(describeError(t, toProblem(error)).message);
    });
    return () => leaving.abort();
  }, [words, t]);
  if (!found) return null;
  if (!found.length) return <p className="empty">{t("notebook.nothing")}</p>;
  return (
    <ul className="notebooks-list notebooks-found">
      {found.map((each) => (
        <li key={each.id}>
          <Link
            className="notebook-title"
            to={
              each.kind === "annotation"
                ? `/d/${each.document}?span=${each.start}-${each.end}`
                : `/notebooks/${each.notebook}`
            }
          >
            {[each.title, abbreviatePage(t, each)].filter(Boolean).join(", ")}
          </Link>
          {each.excerpt && <p className="soft small">{each.excerpt}</p>}
        </li>
      ))}
    </ul>
  );
}
