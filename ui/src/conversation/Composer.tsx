import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { asProblem } from "../api/problem";
import { Icon } from "../look/Icon";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { useStore } from "../store";
import { useWords } from "../words";
import { AttachButton, Attachments } from "./Attachments";
import { attach, attaching } from "./attaching";
import { useAutosize } from "./autosize";
import { draftOf, keepDraft } from "./composing";
import { FocusSwitch } from "./FocusSwitch";
import { Personal } from "./Personal";
import { ScopePicker } from "./ScopePicker";
import { isRunning, stop, talking } from "./talking";

interface ComposerProps {
  id: string | null;
  /** Asks; tells whether it was asked. */
  onAsk: (message: string) => Promise<boolean>;
}

/** Where questions are written: what they look in, what goes with them, send and stop. */
export function Composer({ id, onAsk }: ComposerProps) {
  const say = useWords();
  const running = isRunning(useStore(talking));
  const files = useStore(attaching);
  const [draft, setDraft] = useState(() => draftOf(id));
  const conversation = useRef(id);
  const area = useAutosize(draft);
  const isWaiting = files.some((each) => !each.problem);

  useEffect(() => {
    if (conversation.current === id) return;
    // The first question of a conversation gives it an id: what is written meanwhile goes along.
    const isBegun = conversation.current === null && isRunning();
    conversation.current = id;
    if (!isBegun) setDraft(draftOf(id));
  }, [id]);

  const write = (text: string) => {
    setDraft(text);
    keepDraft(id, text);
  };

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    const message = draft.trim();
    if (!message || running || isWaiting) return;
    write("");
    attaching.set((now) => now.filter((each) => !each.problem));
    void onAsk(message).then((wasAsked) => {
      if (wasAsked) return;
      setDraft((now) => now || message);
      keepDraft(id, message);
    });
  };

  const pressed = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  const pasted = (event: ClipboardEvent) => {
    const found = [...event.clipboardData.files];
    if (!found.length) return;
    event.preventDefault();
    attach(found);
  };

  return (
    <form className="composer" onSubmit={send} aria-label={say("conversation.ask")}>
      <Attachments />
      <textarea
        ref={area}
        id="ask"
        rows={1}
        placeholder={say("conversation.placeholder")}
        aria-label={say("conversation.ask")}
        value={draft}
        onChange={(event) => write(event.target.value)}
        onKeyDown={pressed}
        onPaste={pasted}
      />
      <div className="composer-row">
        <AttachButton />
        <FocusSwitch />
        <ScopePicker />
        <Personal />
        {running ? (
          <button
            type="button"
            className="send"
            aria-label={say("conversation.stop")}
            title={say("conversation.stop")}
            onClick={() => stop().catch((error) => toast(said(say, asProblem(error)).message))}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            className="send"
            aria-label={say("conversation.send")}
            title={isWaiting ? say("conversation.sendWaits") : say("conversation.send")}
            disabled={!draft.trim() || isWaiting}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
