import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { toProblem } from "../api/problem";
import { useBackLayer } from "../components/backLayers";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { NameField } from "../components/NameField";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { useOpenWorkspace } from "../workspaces/workspacesStore";
import { NotebookActions } from "./NotebookActions";
import { NotebookContent } from "./NotebookContent";
import { currentNotebook, notebookPanel, notebookRemoval, notebookStore } from "./notebookStore";

/** The current notebook beside the conversation or the source. While it is closed, it keeps what is being written. */
export default function NotebookPanel({ isOpen }: { isOpen: boolean }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const { notebooks, open, problem } = useStore(notebookStore);
  const gone = useStore(notebookRemoval.gone);
  const workspace = useOpenWorkspace()?.id;
  const current = useStore(currentNotebook);
  const [isNaming, setNaming] = useState(false);
  useBackLayer(isOpen, () => notebookPanel.set(false));
  const shown = (notebooks ?? []).filter((each) => !gone.has(each.id));
  const chosen = shown.find((each) => each.id === current) ?? shown[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the store lists the notebooks of the open workspace
  useEffect(() => {
    if (isOpen) void notebookStore.load();
  }, [workspace, isOpen]);
  useEffect(() => {
    if (isOpen && chosen?.id) void notebookStore.show(chosen.id);
  }, [chosen?.id, isOpen]);

  const tell = (error: unknown) => showToast(describeError(t, toProblem(error)).message);
  const create = () => notebookStore.create(t("notebook.new.title")).then(() => setNaming(true), tell);
  const rename = (title: string | null) => {
    setNaming(false);
    if (title && open) notebookStore.rename(open.id, title).catch(tell);
  };
  return (
    <aside className="notebook-panel" aria-label={t("notebook.panel")} hidden={!isOpen}>
      <header className="notebook-head">
        {isNaming && open ? (
          <NameField name={open.title} label={t("notebook.name")} onDone={rename} />
        ) : (
          <select
            className="field"
            aria-label={t("notebook.choose")}
            value={chosen?.id ?? ""}
            disabled={!shown.length}
            onChange={(event) => void notebookStore.show(event.target.value)}
          >
            {!shown.length && <option value="">{t("notebook.none")}</option>}
            {shown.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t("notebook.new")}
          title={t("notebook.new")}
          onClick={create}
        >
          <Icon name="add" />
        </button>
        {open && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("notebook.page")}
            title={t("notebook.page")}
            onClick={() => go(`/notebooks/${open.id}`)}
          >
            <Icon name="open" />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t("notebook.close")}
          title={t("notebook.close")}
          onClick={() => notebookPanel.set(false)}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="notebook-scroll">
        {problem && <ErrorMessage fault={problem} />}
        {open && (
          <div className="notebook-bar">
            <NotebookActions
              notebook={open}
              onRename={() => setNaming(true)}
              onRemoved={() => currentNotebook.set("")}
            />
          </div>
        )}
        {open && <NotebookContent key={open.id} notebook={open} />}
        {notebooks && !shown.length && (
          <p className="empty">
            {t("notebook.begin")}{" "}
            <button type="button" className="plain-button" onClick={create}>
              {t("notebook.new")}
            </button>
          </p>
        )}
      </div>
    </aside>
  );
}
