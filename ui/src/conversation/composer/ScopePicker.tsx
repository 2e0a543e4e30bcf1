import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { server, unwrap } from "../../api/client";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { placePopover } from "../../components/popover";
import { useTranslate } from "../../i18n";
import { WEB } from "../../library/librariesStore";
import { useStore } from "../../state/store";
import { addToScope, removeFromScope, type ScopeDocument, scopeStore } from "./questionOptions";

const SHOWN = 30;
const PAUSE = 150;

/** A menu that chooses the documents the question is about; all of them if none is chosen. */
export function ScopePicker() {
  const t = useTranslate();
  const id = useId();
  const chosen = useStore(scopeStore);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // The button moves when a document is added to the question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves with the chosen documents
  useLayoutEffect(() => {
    if (isOpen) placePopover(button.current, box.current, true);
  }, [isOpen, chosen]);

  const label = chosen.length ? t.count("conversation.scope", chosen.length) : t("conversation.scope.all");
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
        <Icon name="document" size={16} />
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

function DocumentPicker() {
  const t = useTranslate();
  const chosen = useStore(scopeStore);
  const [words, setWords] = useState("");
  const { found, trouble } = useDocuments(words);
  return (
    <>
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
      {chosen.length > 0 && (
        <button type="button" className="menu-item" onClick={() => scopeStore.set([])}>
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
