import { useEffect, useId } from "react";
import { Link, useLocation } from "wouter";
import { useMay } from "../account/accountStore";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { documentListStore, EVERYTHING } from "../library/documentListStore";
import { librariesStore, nameLibrary } from "../library/librariesStore";
import { notebookRemoval, notebookStore } from "../notebook/notebookStore";
import { useStore } from "../state/store";
import type { Workspace } from "./workspacesStore";

/** What is in a workspace: its libraries, its notebooks and its instructions. */
export function WorkspaceContents({ workspace }: { workspace: Workspace }) {
  const t = useTranslate();
  const heading = useId();
  const [path] = useLocation();
  const held = useStore(librariesStore);
  const { notebooks } = useStore(notebookStore);
  const gone = useStore(notebookRemoval.gone);
  const mayAdd = useMay("write");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store lists the notebooks of the open workspace
  useEffect(() => {
    void librariesStore.load();
    void notebookStore.load();
  }, [workspace.id]);
  const own = (notebooks ?? []).filter((each) => each.workspace === workspace.id && !gone.has(each.id));
  return (
    <>
      <section className="recent" aria-labelledby={`${heading}libraries`}>
        <h2 id={`${heading}libraries`}>{t("workspaces.libraries")}</h2>
        {!workspace.libraries.length && <p className="side-words">{t("workspaces.searchesAll")}</p>}
        <ul>
          {workspace.libraries.map(({ key }) => {
            const documents = held?.libraries.find((each) => each.key === key)?.documents ?? 0;
            const choose = () => void documentListStore.load({ ...EVERYTHING, library: key });
            return (
              <li key={key}>
                <Link to="/library" className="side-counted" onClick={choose}>
                  <span>{nameLibrary(t, key)}</span>
                  <small>{t.count("library.documents", documents)}</small>
                </Link>
              </li>
            );
          })}
        </ul>
        {mayAdd && (
          <Link to="/library" className="recent-all">
            <Icon name="add" size={12} /> {t("workspaces.addDocuments")}
          </Link>
        )}
      </section>
      {own.length > 0 && (
        <section className="recent" aria-labelledby={`${heading}notebooks`}>
          <h2 id={`${heading}notebooks`}>{t("notebook.title")}</h2>
          <ul>
            {own.map(({ id, title, items }) => (
              <li key={id}>
                <Link
                  to={`/notebooks/${id}`}
                  className="side-counted"
                  aria-current={path === `/notebooks/${id}` ? "page" : undefined}
                >
                  <span>{title}</span>
                  <small>{t.count("notebook.items", items)}</small>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {workspace.instructions && (
        <section className="recent" aria-labelledby={`${heading}says`}>
          <h2 id={`${heading}says`}>{t("workspaces.instructions")}</h2>
          <p className="side-words side-says" title={workspace.instructions}>
            {workspace.instructions}
          </p>
        </section>
      )}
    </>
  );
}
