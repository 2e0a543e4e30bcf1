import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { waitForRetry } from "../api/backoff";
import { isAway, type Problem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { LoadMore } from "../components/LoadMore";
import { SearchField } from "../components/SearchField";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { useOpenWorkspace } from "../workspaces/workspacesStore";
import { ConversationRow } from "./ConversationRow";
import { conversationListStore, conversationRemoval } from "./conversationListStore";
import { groupByDay } from "./dayGroups";
import "./conversations.css";

/** The list of conversations by day, with search, and a menu to rename, export and delete each. */
export default function ConversationList() {
  const t = useTranslate();
  const { words, conversations, next, status, problem } = useStore(conversationListStore);
  const gone = useStore(conversationRemoval.gone);

  const open = useOpenWorkspace();
  const [isAll, setAll] = useState(false);
  const workspace = isAll ? null : open;
  useEffect(() => {
    void conversationListStore.setWorkspace(workspace?.id ?? "");
  }, [workspace?.id]);
  useRetry(problem);
  useDocumentTitle(t("shell.conversations"));

  const shown = conversations.filter((each) => !gone.has(each.id));
  const isEmpty = status === "idle" && !problem && !shown.length;
  return (
    <main className="main room" id="main">
      <div className="room-inside conversations">
        <header className="room-head">
          <h1>{t("shell.conversations")}</h1>
          <Link to="/" className="button">
            {t("shell.ask")}
          </Link>
        </header>
        {workspace && (
          <p className="conversations-place soft">
            {t("workspaces.in", { name: workspace.name })}{" "}
            <button type="button" className="plain" onClick={() => setAll(true)}>
              {t("workspaces.showAll")}
            </button>
          </p>
        )}
        {(shown.length > 0 || words) && (
          <search className="conversations-search">
            <SearchField label={t("conversations.search")} words={words} onWords={conversationListStore.search} />
          </search>
        )}
        {problem && (
          <ErrorMessage fault={problem}>
            <button type="button" className="button" onClick={() => conversationListStore.search(words)}>
              {t("conversations.again")}
            </button>
          </ErrorMessage>
        )}
        {status === "loading" && !shown.length && !problem && <ListSkeleton />}
        {isEmpty && <p className="empty">{words ? t("conversations.nothing") : t("conversations.none")}</p>}
        {groupByDay(shown).map(({ label, members }) => (
          <section key={label} aria-label={t(label)}>
            <h2 className="conversations-day">{t(label)}</h2>
            <ul className="conversations-list">
              {members.map((each) => (
                <ConversationRow key={each.id} conversation={each} words={words} />
              ))}
            </ul>
          </section>
        ))}
        {next && <LoadMore onSeen={conversationListStore.loadMore} isBusy={status === "loadingMore"} />}
      </div>
    </main>
  );
}

/** Load the list again by itself while the server does not answer. */
function useRetry(problem: Problem | null): void {
  const attempt = useRef(0);
  useEffect(() => {
    if (!problem) attempt.current = 0;
    if (!problem || !isAway(problem)) return;
    const waiting = new AbortController();
    void waitForRetry(attempt.current++, waiting.signal).then(() => {
      if (!waiting.signal.aborted) void conversationListStore.search(conversationListStore.get().words);
    });
    return () => waiting.abort();
  }, [problem]);
}

function ListSkeleton() {
  const t = useTranslate();
  return (
    <div className="conversations-waiting" role="status" aria-label={t("conversations.loading")}>
      {[64, 40, 52, 70].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%`, height: "var(--space-16)" }} />
      ))}
    </div>
  );
}
