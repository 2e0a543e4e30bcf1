import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useMay } from "../../account/accountStore";
import { server, unwrap } from "../../api/client";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { placePopover, usePlacedPopover } from "../../components/popover";
import { type Translate, useTranslate } from "../../i18n";
import { loadTags, tagStore } from "../../library/documentTags";
import { WEB } from "../../library/librariesStore";
import { nameProject, projectsStore } from "../../projects/projectsStore";
import { useStore } from "../../state/store";
import { useSelector } from "../../state/useSelector";
import { useOpenWorkspace, useWorkspaces } from "../../workspaces/workspacesStore";
import { conversationStore } from "../conversationStore";
import {
  addToScope,
  notebookScopeStore,
  projectStore,
  removeFromScope,
  type ScopeDocument,
  scopeStore,
  tagScopeStore,
  toggleTag,
} from "./questionOptions";

const SHOWN = 30;
const PAUSE = 150;

/** A menu that chooses the project and the documents or tags the question is about; all documents if nothing is chosen. */
export function ScopePicker() {
  const t = useTranslate();
  const id = useId();
  const chosen = useStore(scopeStore);
  const tags = useStore(tagScopeStore);
  const project = useStore(projectStore);
  const notebook = useStore(notebookScopeStore);
  const projects = useStore(projectsStore);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const hasProjects = useMay("admin");
  useEffect(() => {
    if (hasProjects) void projectsStore.load();
  }, [hasProjects]);

  usePlacedPopover(isOpen, button, box, true);
  // The button moves when a document or a project is added to the question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves with what is chosen
  useLayoutEffect(() => {
    if (isOpen) placePopover(button.current, box.current, true);
  }, [isOpen, chosen, tags, project, notebook]);

  const workspace = useWorkspaceScope();
  // The name of the notebook stands above the question.
  const named = [project && nameProject(projects, project), notebook ? t("conversation.scope.aNotebook") : ""];
  const label = describeScope(t, named, chosen.length, tags) || workspace;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="composer-choice"
        title={t("conversation.scope.title")}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <Icon name={project ? "folder" : notebook ? "notebook" : tags.length ? "tag" : "document"} size={16} />
        <span>{label}</span>
        <Icon name="down" size={14} />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("conversation.scope.title")}
        className="menu scope"
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && <DocumentPicker />}
      </div>
    </>
  );
}

/** Describe what a question is about: the name of a project, a notebook, tags and documents; "" if nothing is chosen. */
function describeScope(t: Translate, names: string[], documents: number, tags: string[]): string {
  const parts = [...names, ...tags, documents ? t.count("conversation.scope", documents) : ""].filter(Boolean);
  return parts.join(" + ");
}

/** Describe what a question is about for which nothing is chosen: the libraries of its workspace, or all documents. */
function useWorkspaceScope(): string {
  const t = useTranslate();
  const open = useOpenWorkspace();
  const asked = useSelector(conversationStore, ({ id, workspace }) => (id === null ? null : workspace));
  const all = useWorkspaces();
  const meant = asked === null ? open : all.find((each) => each.id === asked);
  return meant?.libraries.length ? meant.name : t("conversation.scope.all");
}

/** The projects of the server, of which one can be chosen; nothing if there is none. */
function ProjectPicker() {
  const t = useTranslate();
  const projects = useStore(projectsStore);
  const chosen = useStore(projectStore);
  if (!projects.length) return null;
  return (
    <ul className="scope-list scope-projects" aria-label={t("projects.title")}>
      {projects.map(({ id, name, folder }) => (
        <li key={id}>
          <label className="menu-item" title={folder}>
            <input type="checkbox" checked={chosen === id} onChange={() => projectStore.set(chosen === id ? "" : id)} />
            <Icon name="folder" size={16} />
            <span className="scope-title">{name}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** The tags of the documents, of which the question may need some; nothing if there is none. */
function TagPicker() {
  const t = useTranslate();
  const tags = useStore(tagStore);
  const chosen = useStore(tagScopeStore);
  useEffect(() => void loadTags(), []);
  const shown = [...new Set([...tags, ...chosen])];
  if (!shown.length) return null;
  return (
    <ul className="scope-list scope-tags" aria-label={t("conversation.scope.tags")}>
      {shown.map((tag) => (
        <li key={tag}>
          <label className="menu-item">
            <input type="checkbox" checked={chosen.includes(tag)} onChange={() => toggleTag(tag)} />
            <Icon name="tag" size={16} />
            <span className="scope-title">{tag}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function DocumentPicker() {
  const t = useTranslate();
  const chosen = useStore(scopeStore);
  const tags = useStore(tagScopeStore);
  const project = useStore(projectStore);
  const notebook = useStore(notebookScopeStore);
  const [words, setWords] = useState("");
  const { found, trouble } = useDocuments(words);
  return (
    <>
      {/* The menu grows upwards when the documents arrive. What is above them must not move under a pointer. */}
      {(found || trouble) && <ProjectPicker />}
      {(found || trouble) && <TagPicker />}
      <input
        type="search"
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the menu opens for typing
        autoFocus
        placeholder={t("conversation.scope.search")}
        aria-label={t("conversation.scope.search")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {trouble && <p className="scope-note">{trouble}</p>}
      {found && !found.length && (
        <p className="scope-note">{t(words ? "conversation.scope.none" : "conversation.scope.empty")}</p>
      )}
      <ul className="scope-list">
        {found?.map((document) => {
          const isChosen = chosen.some((each) => each.id === document.id);
          return (
            <li key={document.id}>
              <label className="menu-item">
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={() => (isChosen ? removeFromScope(document.id) : addToScope(document))}
                />
                <span className="scope-title">{document.title}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {(chosen.length > 0 || tags.length > 0 || project || notebook) && (
        <button
          type="button"
          className="menu-item"
          onClick={() => {
            scopeStore.set([]);
            tagScopeStore.set([]);
            projectStore.set("");
            notebookScopeStore.set(null);
          }}
        >
          <Icon name="close" size={16} /> {t("conversation.scope.clear")}
        </button>
      )}
    </>
  );
}

function useDocuments(words: string): { found: ScopeDocument[] | null; trouble: string } {
  const t = useTranslate();
  const [state, set] = useState<{ found: ScopeDocument[] | null; trouble: string }>({ found: null, trouble: "" });
  useEffect(() => {
    const controller = new AbortController();
    const look = async () => {
      try {
        const query = { limit: SHOWN, ...(words.trim() ? { words: words.trim() } : { without: WEB }) };
        const answer = unwrap(await server.GET("/api/documents", { params: { query }, signal: controller.signal }));
        const found = answer.documents.filter((each) => each.status !== "failed");
        set({ found: disambiguateTitles(found), trouble: "" });
      } catch (error) {
        if (!controller.signal.aborted) set({ found: null, trouble: describeError(t, toProblem(error)).message });
      }
    };
    const timer = setTimeout(look, words ? PAUSE : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, t]);
  return state;
}

/** Give documents that share a title their files' names too. */
function disambiguateTitles(documents: { id: string; title: string; name: string }[]): ScopeDocument[] {
  return documents.map(({ id, title, name }) => {
    const isTwin = documents.some((other) => other.id !== id && other.title === title);
    return { id, title: title && isTwin ? `${title} (${name})` : title || name };
  });
}
