import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { toProblem } from "../api/problem";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { NameField } from "../components/NameField";
import { showToast } from "../components/toastStore";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { CitationCard } from "../conversation/citations/CitationCard";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { NotebookActions } from "./NotebookActions";
import { NotebookContent } from "./NotebookContent";
import { notebookRemoval, notebookStore } from "./notebookStore";
import "../conversation/conversation.css";

/** One notebook on a page of its own, with the sources beside it. */
export default function NotebookPage({ id }: { id: string }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const { open, problem } = useStore(notebookStore);
  const gone = useStore(notebookRemoval.gone);
  const [isNaming, setNaming] = useState(false);
  const notebook = open?.id === id ? open : null;
  useDocumentTitle(notebook?.title ?? t("notebook.title"));
  useEffect(() => {
    void notebookStore.load();
    void notebookStore.show(id);
  }, [id]);
  const rename = (title: string | null) => {
    setNaming(false);
    if (title) notebookStore.rename(id, title).catch((error) => showToast(describeError(t, toProblem(error)).message));
  };
  if (problem?.code === "not_found" || gone.has(id)) {
    return (
      <div className="empty">
        <h1>{t("notebook.gone")}</h1>
        <Link to="/notebooks" className="button main">
          {t("notebook.title")}
        </Link>
      </div>
    );
  }
  return (
    <div className="room talk">
      <div className="room-inside notebook-page">
        <nav aria-label={t("notebook.title")}>
          <Link to="/notebooks" className="notebook-back">
            <Icon name="back" size={16} /> {t("notebook.title")}
          </Link>
        </nav>
        <header className="room-head">
          {isNaming && notebook ? (
            <NameField name={notebook.title} label={t("notebook.name")} onDone={rename} />
          ) : (
            <h1>{notebook?.title ?? " "}</h1>
          )}
          {notebook && (
            <NotebookActions notebook={notebook} onRename={() => setNaming(true)} onRemoved={() => go("/notebooks")} />
          )}
        </header>
        {problem && <ErrorMessage fault={problem} />}
        {notebook && <NotebookContent key={id} notebook={notebook} />}
      </div>
      <CitationCard />
    </div>
  );
}
