import { useId } from "react";
import { Link, useLocation } from "wouter";
import { conversationRemoval } from "../conversations/conversationListStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { recentStore } from "./recentStore";

/** The last conversations of the open workspace. */
export function RecentConversations() {
  const t = useTranslate();
  const heading = useId();
  const [path] = useLocation();
  const recent = useStore(recentStore);
  const gone = useStore(conversationRemoval.gone);
  const shown = (recent ?? []).filter((each) => !gone.has(each.id));
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
