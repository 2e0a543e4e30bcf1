import { useRef } from "react";
import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { useStore } from "../store";
import { useWords } from "../words";
import { type Attaching, attach, attaching } from "./attaching";
import { exclude, scope } from "./composing";

/** What the question is about, and what is still on its way there. */
export function Attachments() {
  const say = useWords();
  const chosen = useStore(scope);
  const files = useStore(attaching);
  if (!chosen.length && !files.length) return null;
  return (
    <ul className="attachments" aria-label={say("conversation.scope.chosen")}>
      {chosen.map(({ id, title }) => (
        <li key={id} className="attachment">
          <Icon name="document" size={16} />
          <span className="attachment-name">{title}</span>
          <button type="button" aria-label={say("conversation.scope.remove", { title })} onClick={() => exclude(id)}>
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      {files.map((file) => (
        <OnItsWay key={file.key} file={file} />
      ))}
    </ul>
  );
}

function OnItsWay({ file }: { file: Attaching }) {
  const say = useWords();
  const { name, share, problem, leave } = file;
  const percent = Math.round(share * 100);
  const state = share < 1 ? say("conversation.attach.sending", { percent }) : say("conversation.attach.reading");
  return (
    <li className="attachment" data-problem={problem ? true : undefined}>
      {problem ? <Icon name="bad" size={16} /> : <span className="spinner" aria-hidden="true" />}
      <span className="attachment-name">{name}</span>
      <span className="soft" role="status">
        {problem ? said(say, problem).message : state}
      </span>
      <button type="button" aria-label={say("conversation.attach.leave", { name })} onClick={leave}>
        <Icon name="close" size={14} />
      </button>
      {!problem && <span className="attachment-share" style={{ width: `${percent}%` }} aria-hidden="true" />}
    </li>
  );
}

/** The button that brings files: a sign, or these words. */
export function AttachButton({ words }: { words?: string }) {
  const say = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className={words ? "button main" : "icon-button"}
        aria-label={words ?? say("conversation.attach")}
        title={words ? undefined : say("conversation.attach")}
        onClick={() => input.current?.click()}
      >
        {words ?? <Icon name="attach" />}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={say("conversation.attach")}
        onChange={(event) => {
          attach([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
