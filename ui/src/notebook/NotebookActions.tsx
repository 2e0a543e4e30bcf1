import { useLocation } from "wouter";
import { useMay } from "../account/accountStore";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { showToast } from "../components/toastStore";
import { askAboutNotebook } from "../conversation/composer/askAbout";
import { chooseNotebook } from "../conversation/composer/questionOptions";
import { type MessageKey, useTranslate } from "../i18n";
import { useWorkspaces } from "../workspaces/workspacesStore";
import { notebookRemoval, notebookStore, type WholeNotebook } from "./notebookStore";

const FORMATS: { format: string; label: MessageKey }[] = [
  { format: "docx", label: "notebook.export.docx" },
  { format: "md", label: "notebook.export.md" },
  { format: "html", label: "notebook.export.html" },
  { format: "pdf", label: "notebook.export.pdf" },
];

interface NotebookActionsProps {
  notebook: WholeNotebook;
  onRename: () => void;
  onRemoved: () => void;
}

/** A button that asks about a notebook, and a menu to rename, export and delete it. */
export function NotebookActions({ notebook, onRename, onRemoved }: NotebookActionsProps) {
  const t = useTranslate();
  const [, go] = useLocation();
  const ask = () => {
    const { id, title } = notebook;
    if (document.getElementById("ask")) chooseNotebook({ id, title });
    else {
      askAboutNotebook({ id, title });
      go("/");
    }
    requestAnimationFrame(() => document.getElementById("ask")?.focus());
  };
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={!notebook.kept.length}
        title={t("notebook.ask.means")}
        onClick={ask}
      >
        <Icon name="ask" size={16} /> {t("notebook.ask")}
      </button>
      <Menu label={t("notebook.menu")} trigger={<Icon name="menu" />}>
        {(close) => (
          <>
            <button
              type="button"
              role="menuitem"
              className="menu-item"
              onClick={() => {
                close();
                onRename();
              }}
            >
              <Icon name="edit" size={16} /> {t("notebook.rename")}
            </button>
            <MoveItems notebook={notebook} onDone={close} />
            {FORMATS.map(({ format, label }) => (
              <a
                key={format}
                role="menuitem"
                className="menu-item"
                href={`/api/notebooks/${notebook.id}/export?format=${format}&language=${t.language}`}
                download
                onClick={close}
              >
                <Icon name="export" size={16} /> {t(label)}
              </a>
            ))}
            <button
              type="button"
              role="menuitem"
              className="menu-item danger"
              onClick={() => {
                close();
                notebookRemoval.remove([notebook.id], t("notebook.deleted", { title: notebook.title }));
                onRemoved();
              }}
            >
              <Icon name="remove" size={16} /> {t("notebook.delete")}
            </button>
          </>
        )}
      </Menu>
    </>
  );
}

/** The items that put a notebook into a workspace, or out of its own. */
function MoveItems({ notebook, onDone }: { notebook: WholeNotebook; onDone: () => void }) {
  const t = useTranslate();
  const all = useWorkspaces();
  const mayChange = useMay("write");
  const move = (id: string) => {
    onDone();
    notebookStore
      .place(notebook, id === notebook.workspace ? "" : id)
      .catch((error: unknown) => showToast(describeError(t, toProblem(error)).message));
  };
  if (!mayChange) return null;
  return all.map(({ id, name }) => (
    <button key={id} type="button" role="menuitem" className="menu-item" onClick={() => move(id)}>
      <Icon name="folder" size={16} />{" "}
      {t(id === notebook.workspace ? "workspaces.leave" : "workspaces.moveTo", { name })}
    </button>
  ));
}
