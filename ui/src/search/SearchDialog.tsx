import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { accountStore } from "../account/accountStore";
import { useBackLayer } from "../components/backLayers";
import { Icon } from "../components/Icon";
import { MatchedText } from "../conversations/MatchedText";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { recentStore } from "../workspaces/recentStore";
import { useWorkspaces } from "../workspaces/workspacesStore";
import { listGroups, type SearchEntry } from "./searchEntries";
import { createEverythingSearch } from "./searchEverything";
import "./search.css";

/** The search over everything: a field, and a list whose active entry Enter opens. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const id = useId();
  const [, go] = useLocation();
  const window = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [search] = useState(createEverythingSearch);
  const found = useStore(search);
  const recent = useStore(recentStore);
  const workspaces = useWorkspaces();
  const searcher = useStore(accountStore);
  const [words, setWords] = useState("");
  const [active, setActive] = useState<string | null>(null);

  const groups = listGroups(t, words, found, recent ?? [], workspaces, searcher);
  const entries = groups.flatMap((group) => group.entries);
  // Results arrive one after the other: the entry that was chosen stays, else it is the first one.
  const at = Math.max(
    0,
    entries.findIndex((each) => each.id === active),
  );
  const chosen = entries[at];
  const isEmpty = words.trim() !== "" && !found.isBusy && !entries.length;

  useEffect(() => {
    window.current?.showModal();
    return search.cancel;
  }, [search]);
  useEffect(() => {
    if (chosen) document.getElementById(id + chosen.id)?.scrollIntoView({ block: "nearest" });
  }, [id, chosen]);

  const type = (typed: string) => {
    setWords(typed);
    setActive(null);
    search.search(typed);
  };

  // The browser sends "close" later. Ctrl+K in between would find the search still open, and open nothing.
  const close = () => {
    window.current?.close();
    onClose();
  };
  useBackLayer(true, close);

  const open = (entry: SearchEntry) => {
    close();
    entry.run?.();
    if (entry.to) go(entry.to);
    if (entry.section) showSection(entry.section);
  };

  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 5, PageUp: at - 5 }[event.key];
    if (to !== undefined && entries.length) {
      event.preventDefault();
      const isStep = Math.abs(to - at) === 1;
      const next = isStep ? (to + entries.length) % entries.length : Math.min(entries.length - 1, Math.max(0, to));
      setActive(entries[next]?.id ?? null);
    }
    if (event.key === "Enter" && chosen) {
      event.preventDefault();
      open(chosen);
    }
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own key
    <dialog
      ref={window}
      className="everything"
      aria-label={t("search.title")}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={onClose}
      onClick={(event) => event.target === window.current && close()}
    >
      <div className="everything-inside">
        <div className="everything-field">
          <Icon name="search" />
          <input
            ref={(field) => field?.setAttribute("autofocus", "")}
            role="combobox"
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            aria-label={t("search.title")}
            aria-expanded={entries.length > 0}
            aria-controls={`${id}list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen ? id + chosen.id : undefined}
            placeholder={t("search.placeholder")}
            value={words}
            onChange={(event) => type(event.target.value)}
            onKeyDown={pressed}
          />
          {found.isBusy && <span className="spinner" aria-hidden="true" />}
          <button type="button" className="icon-button" aria-label={t("shell.close")} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <p className="hidden" role="status">
          {words.trim() && !found.isBusy ? t.count("search.found", entries.length) : ""}
        </p>
        {found.hasFailed && <p className="everything-note">{t("search.failed")}</p>}
        {isEmpty && !found.hasFailed && <p className="everything-note">{t("search.nothing")}</p>}
        <div ref={list} className="everything-list" role="listbox" id={`${id}list`} aria-label={t("search.results")}>
          {groups.map(({ title, entries }) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options
            <div key={title} role="group" aria-labelledby={id + title}>
              <div className="everything-group" id={id + title} role="presentation">
                {t(title)}
              </div>
              {entries.map((entry) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
                <div
                  key={entry.id}
                  id={id + entry.id}
                  role="option"
                  aria-selected={entry === chosen}
                  className="everything-entry"
                  onPointerMove={() => entry !== chosen && setActive(entry.id)}
                  onClick={() => open(entry)}
                >
                  <Icon name={entry.icon} size={16} />
                  <span className="everything-text">
                    <span className="everything-label">
                      <MatchedText text={entry.label} words={entry.words ?? ""} />
                    </span>
                    {entry.detail && <span className="everything-detail">{entry.detail}</span>}
                  </span>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </dialog>
  );
}

const PATIENCE = 3000;

/** Bring a section of the settings into view once it is there. */
function showSection(title: string): void {
  const until = performance.now() + PATIENCE;
  const look = () => {
    const heading = [...document.querySelectorAll<HTMLElement>(".settings-section h2")].find(
      (each) => each.textContent === title,
    );
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      heading.scrollIntoView({ block: "start" });
    } else if (performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
