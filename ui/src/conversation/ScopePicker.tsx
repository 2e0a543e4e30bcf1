import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { got, server } from "../api/client";
import { asProblem } from "../api/problem";
import { WEB } from "../library/holdings";
import { beside } from "../look/beside";
import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { useStore } from "../store";
import { useWords } from "../words";
import { type Chosen, exclude, include, scope } from "./composing";

const SHOWN = 30;
const PAUSE = 150;

/** Which documents the question is about: all, or those that are chosen here. */
export function ScopePicker() {
  const say = useWords();
  const id = useId();
  const chosen = useStore(scope);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // The button moves when a document joins the question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen moves the button
  useLayoutEffect(() => {
    if (isOpen) beside(button.current, box.current, true);
  }, [isOpen, chosen]);

  const label = chosen.length ? say.count("conversation.scope", chosen.length) : say("conversation.scope.all");
  return (
    <>
      <button
        ref={button}
        type="button"
        className="composer-choice"
        title={say("conversation.scope.title")}
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
        aria-label={say("conversation.scope.title")}
        className="menu scope"
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && <Picker />}
      </div>
    </>
  );
}

function Picker() {
  const say = useWords();
  const chosen = useStore(scope);
  const [words, setWords] = useState("");
  const { found, trouble } = useDocuments(words);
  return (
    <>
      <input
        type="search"
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the window opens to be written in
        autoFocus
        placeholder={say("conversation.scope.search")}
        aria-label={say("conversation.scope.search")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {trouble && <p className="scope-note">{trouble}</p>}
      {found && !found.length && (
        <p className="scope-note">{say(words ? "conversation.scope.none" : "conversation.scope.empty")}</p>
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
                  onChange={() => (isChosen ? exclude(document.id) : include(document))}
                />
                <span className="scope-title">{document.title}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {chosen.length > 0 && (
        <button type="button" className="menu-item" onClick={() => scope.set([])}>
          <Icon name="close" size={16} /> {say("conversation.scope.clear")}
        </button>
      )}
    </>
  );
}

function useDocuments(words: string): { found: Chosen[] | null; trouble: string } {
  const say = useWords();
  const [state, set] = useState<{ found: Chosen[] | null; trouble: string }>({ found: null, trouble: "" });
  useEffect(() => {
    const controller = new AbortController();
    const look = async () => {
      try {
        const query = { limit: SHOWN, ...(words.trim() ? { words: words.trim() } : { without: WEB }) };
        const answer = got(await server.GET("/api/documents", { params: { query }, signal: controller.signal }));
        const found = answer.documents.filter((each) => each.status !== "failed");
        set({ found: apart(found), trouble: "" });
      } catch (error) {
        if (!controller.signal.aborted) set({ found: null, trouble: said(say, asProblem(error)).message });
      }
    };
    const timer = setTimeout(look, words ? PAUSE : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, say]);
  return state;
}

/** Documents as they are called; those that share a title are told apart by their files' names. */
function apart(documents: { id: string; title: string; name: string }[]): Chosen[] {
  return documents.map(({ id, title, name }) => {
    const isTwin = documents.some((other) => other.id !== id && other.title === title);
    return { id, title: title && isTwin ? `${title} (${name})` : title || name };
  });
}
