import { useState } from "react";
import { Link } from "wouter";
import { asProblem } from "../api/problem";
import { moment, when } from "../library/amounts";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { NameField } from "../look/NameField";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { type Key, useWords } from "../words";
import { conversationRemoval, rename, type Summary } from "./listing";
import { marked } from "./marking";

const FORMATS: { format: string; label: Key }[] = [
  { format: "md", label: "conversations.export.md" },
  { format: "html", label: "conversations.export.html" },
  { format: "pdf", label: "conversations.export.pdf" },
  { format: "json", label: "conversations.export.json" },
];

/** One conversation: its title, where the words of the search stand in it, and what can be done with it. */
export function ConversationRow({ conversation, words }: { conversation: Summary; words: string }) {
  const say = useWords();
  const [isNaming, setNaming] = useState(false);
  const { id, updated, messages, excerpt } = conversation;
  const title = conversation.title || say("conversations.untitled");
  return (
    <li className="conversation-row" data-conversation={id}>
      <div className="conversation-text">
        {isNaming ? (
          <Naming conversation={conversation} onDone={() => setNaming(false)} />
        ) : (
          <Link to={`/c/${id}`} className="conversation-title">
            <Marked text={title} words={words} />
          </Link>
        )}
        {excerpt && excerpt !== conversation.title && (
          <p className="conversation-excerpt soft small">
            <Marked text={excerpt} words={words} />
          </p>
        )}
      </div>
      <span className="conversation-count soft small">{say.count("conversations.questions", messages)}</span>
      <time
        className="conversation-when soft small"
        dateTime={new Date(updated * 1000).toISOString()}
        title={moment(updated, say.language)}
      >
        {when(updated, say.language)}
      </time>
      <Menu label={say("conversations.acts", { title })} trigger={<Icon name="menu" />}>
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
              {say("conversations.rename")}
            </button>
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
                {say(label)}
              </a>
            ))}
            <button
              type="button"
              role="menuitem"
              className="menu-item danger"
              onClick={() => {
                close();
                conversationRemoval.remove([id], say("conversations.deleted", { title }));
              }}
            >
              <Icon name="remove" size={16} />
              {say("conversations.delete")}
            </button>
          </>
        )}
      </Menu>
    </li>
  );
}

/** A text with the words of the search in it marked. */
function Marked({ text, words }: { text: string; words: string }) {
  if (!words.trim()) return text;
  let at = 0;
  return marked(text, words).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isFound ? <mark key={key}>{piece.text}</mark> : piece.text;
  });
}

function Naming({ conversation, onDone }: { conversation: Summary; onDone: () => void }) {
  const say = useWords();
  const keep = (title: string | null) => {
    onDone();
    if (title) rename(conversation.id, title).catch((error: unknown) => toast(said(say, asProblem(error)).message));
  };
  return <NameField name={conversation.title} label={say("conversations.name")} onDone={keep} />;
}
