import { useEffect, useId } from "react";
import { Link, useLocation } from "wouter";
import { conversationStore } from "../conversation/conversationStore";
import { onChangeInOtherTab } from "../conversation/otherTabs";
import { conversationListStore, conversationRemoval } from "../conversations/conversationListStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { useSelector } from "../state/useSelector";
import { recentStore } from "./recentStore";
import { useOpenWorkspace } from "./workspacesStore";

/** The last conversations of the open workspace. */
export function RecentConversations() {
  const t = useTranslate();
  const heading = useId();
  const [path] = useLocation();
  const recent = useStore(recentStore);
  const gone = useStore(conversationRemoval.gone);
  const workspace = useOpenWorkspace()?.id ?? "";
  const open = useSelector(conversationStore, ({ id }) => id);
  const title = useSelector(conversationStore, (now) => now.title);
  const turns = useSelector(conversationStore, ({ thread }) => thread.turns.length);
  const listed = useSelector(conversationListStore, ({ conversations }) =>
    conversations.map((each) => each.title).join("\n"),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when a conversation begins, goes on or changes
  useEffect(() => void recentStore.load(workspace), [workspace, open, title, turns, listed]);
  useEffect(() => onChangeInOtherTab(() => void recentStore.load(workspace)), [workspace]);

  const shown = recent.filter((each) => !gone.has(each.id));
  if (!shown.length) return null;
  return (
    <section className="recent" aria-labelledby={heading}>
      <h2 id={heading}>{t("workspaces.recent")}</h2>
      <ul>
        {shown.map(({ id, title }) => (
          <li key={id}>
            <Link to={`/c/${id}`} title={title} aria-current={path === `/c/${id}` ? "page" : undefined}>
              {title || t("conversations.untitled")}
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/conversations" className="recent-all">
        {t("workspaces.recent.all")}
      </Link>
    </section>
  );
}
