import { useState } from "react";
import { Link } from "wouter";
import { useMay } from "../account/accountStore";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { NameField } from "../components/NameField";
import { showToast } from "../components/toastStore";
import { type MessageKey, useTranslate } from "../i18n";
import { ShareLinkDialog } from "../sharing/ShareLinkDialog";
import { useMayShareByLink } from "../sharing/useMayShareByLink";
import { useStore } from "../state/store";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { tidyExcerpt } from "../text/quotes";
import { useWorkspaces, workspacesStore } from "../workspaces/workspacesStore";
import { conversationListStore, conversationRemoval, type Summary } from "./conversationListStore";
import { MatchedText } from "./MatchedText";

const FORMATS: { format: string; label: MessageKey }[] = [
  { format: "md", label: "conversations.export.md" },
  { format: "html", label: "conversations.export.html" },
  { format: "pdf", label: "conversations.export.pdf" },
  { format: "json", label: "conversations.export.json" },
];

/** One conversation: its title, an excerpt with the search words, and a menu. */
export function ConversationRow({ conversation, words }: { conversation: Summary; words: string }) {
  const t = useTranslate();
  const [isNaming, setNaming] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const canShare = useMayShareByLink();
  const { id, updated, messages, excerpt } = conversation;
  const title = conversation.title || t("conversations.untitled");
  return (
    <li className="conversation-row" data-conversation={id}>
      <div className="conversation-text">
        {isNaming ? (
          <TitleField conversation={conversation} onDone={() => setNaming(false)} />
        ) : (
          <Link to={`/c/${id}`} className="conversation-title">
            <MatchedText text={title} words={words} />
          </Link>
        )}
        {excerpt && excerpt !== conversation.title && (
          <p className="conversation-excerpt soft small">
            <MatchedText text={tidyExcerpt(excerpt)} words={words} />
          </p>
        )}
      </div>
      <span className="conversation-count soft small">{t.count("conversations.questions", messages)}</span>
      <time
        className="conversation-when soft small"
        dateTime={new Date(updated * 1000).toISOString()}
        title={formatMoment(updated, t.language)}
      >
        {formatWhen(updated, t.language)}
      </time>
      <Menu label={t("conversations.acts", { title })} trigger={<Icon name="menu" />}>
        {(close) => (
          <>
            <button
              type="button"
              role="menuitem"
              className="menu-item"
              onClick={() => {
                close();
                setNaming(true);
              }}
            >
              <Icon name="edit" size={16} />
              {t("conversations.rename")}
            </button>
            {canShare && (
              <button
                type="button"
                role="menuitem"
                className="menu-item"
                onClick={() => {
                  close();
                  setSharing(true);
                }}
              >
                <Icon name="link" size={16} />
                {t("sharing.link.menu")}
              </button>
            )}
            <MoveItems conversation={id} onDone={close} />
            {FORMATS.map(({ format, label }) => (
              <a
                key={format}
                role="menuitem"
                className="menu-item"
                href={`/api/conversations/${id}/export?format=${format}`}
                download
                onClick={close}
              >
                <Icon name="export" size={16} />
                {t(label)}
              </a>
            ))}
            <button
              type="button"
              role="menuitem"
              className="menu-item danger"
              onClick={() => {
                close();
                conversationRemoval.remove([id], t("conversations.deleted", { title }));
              }}
            >
              <Icon name="remove" size={16} />
              {t("conversations.delete")}
            </button>
          </>
        )}
      </Menu>
      {isSharing && <ShareLinkDialog conversation={id} onClose={() => setSharing(false)} />}
    </li>
  );
}

/** The items that put a conversation into a workspace, or out of the one whose conversations are listed. */
function MoveItems({ conversation, onDone }: { conversation: string; onDone: () => void }) {
  const t = useTranslate();
  const all = useWorkspaces();
  const mayChange = useMay("write");
  const { workspace: listed } = useStore(conversationListStore);
  const move = (to: string | null) => {
    onDone();
    workspacesStore
      .move(conversation, listed, to)
      .then(() => conversationListStore.search(conversationListStore.get().words))
      .catch((error: unknown) => showToast(describeError(t, toProblem(error)).message));
  };
  if (!mayChange) return null;
  return all.map(({ id, name }) => (
    <button
      key={id}
      type="button"
      role="menuitem"
      className="menu-item"
      onClick={() => move(id === listed ? null : id)}
    >
      <Icon name="folder" size={16} />
      {t(id === listed ? "workspaces.leave" : "workspaces.moveTo", { name })}
    </button>
  ));
}

function TitleField({ conversation, onDone }: { conversation: Summary; onDone: () => void }) {
  const t = useTranslate();
  const keep = (title: string | null) => {
    onDone();
    if (title)
      conversationListStore
        .rename(conversation.id, title)
        .catch((error: unknown) => showToast(describeError(t, toProblem(error)).message));
  };
  return <NameField name={conversation.title} label={t("conversations.name")} onDone={keep} />;
}
