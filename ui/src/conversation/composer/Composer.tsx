import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useMay } from "../../account/accountStore";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { showToast } from "../../components/toastStore";
import { useAutosize } from "../../components/useAutosize";
import { useTranslate } from "../../i18n";
import { nameProject, projectsStore } from "../../projects/projectsStore";
import { useStore } from "../../state/store";
import { isRunning } from "../conversationState";
import { conversationStore } from "../conversationStore";
import { AttachButton, Attachments, useAttachments } from "./Attachments";
import { attachmentStore } from "./attachmentStore";
import { appendQuote, insertedQuoteStore } from "./draftInsertion";
import { FocusSwitch } from "./FocusSwitch";
import { ModelSwitch } from "./ModelSwitch";
import { PersonalOptions } from "./PersonalOptions";
import { notebookScopeStore, projectStore, restoreDraft, saveDraft } from "./questionOptions";
import { ScopePicker } from "./ScopePicker";

interface ComposerProps {
  id: string | null;
  /** Sends the question; resolves to whether the server accepted it. */
  onAsk: (message: string) => Promise<boolean>;
}

/** The form for questions: the text, its options and attachments, and the buttons to send and stop. */
export function Composer({ id, onAsk }: ComposerProps) {
  const t = useTranslate();
  const running = isRunning(useStore(conversationStore));
  const files = useAttachments();
  const project = useStore(projectStore);
  const notebook = useStore(notebookScopeStore);
  const name = nameProject(useStore(projectsStore), project);
  const [draft, setDraft] = useState(() => restoreDraft(id));
  const conversation = useRef(id);
  const area = useAutosize(draft);
  const mayAdd = useMay("write");
  const isWaiting = files.some((each) => !each.problem);

  useEffect(() => {
    if (conversation.current === id) return;
    // The first question gives the conversation its id. What the user types meanwhile is kept.
    const isBegun = conversation.current === null && isRunning(conversationStore.get());
    conversation.current = id;
    if (!isBegun) setDraft(restoreDraft(id));
  }, [id]);

  const write = (text: string) => {
    setDraft(text);
    saveDraft(id, text);
  };

  const quoted = useStore(insertedQuoteStore);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each quote, once
  useEffect(() => {
    if (quoted === null) return;
    insertedQuoteStore.set(null);
    write(appendQuote(draft, quoted));
    area.current?.focus();
  }, [quoted]);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    const message = draft.trim();
    if (!message || running || isWaiting) return;
    write("");
    attachmentStore.dropFailed();
    void onAsk(message).then((wasAsked) => {
      if (wasAsked) return;
      setDraft((now) => now || message);
      saveDraft(id, message);
    });
  };

  const pressed = (event: KeyboardEvent) => {
    // While an input method is composing, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  const pasted = (event: ClipboardEvent) => {
    const found = [...event.clipboardData.files];
    if (!found.length || !mayAdd) return;
    event.preventDefault();
    attachmentStore.attachFiles(found);
  };

  return (
    <form className="composer" onSubmit={send} aria-label={t("conversation.ask")}>
      <Attachments />
      <textarea
        ref={area}
        id="ask"
        rows={1}
        placeholder={
          project
            ? t("projects.placeholder", { name })
            : t(notebook ? "conversation.placeholder.notebook" : "conversation.placeholder")
        }
        aria-label={t("conversation.ask")}
        value={draft}
        onChange={(event) => write(event.target.value)}
        onKeyDown={pressed}
        onPaste={pasted}
      />
      <div className="composer-row">
        {mayAdd && <AttachButton />}
        <FocusSwitch />
        <ScopePicker />
        <PersonalOptions />
        <ModelSwitch />
        {running ? (
          <button
            type="button"
            className="send"
            aria-label={t("conversation.stop")}
            title={t("conversation.stop")}
            onClick={() =>
              conversationStore.stop().catch((error) => showToast(describeError(t, toProblem(error)).message))
            }
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            className="send"
            aria-label={t("conversation.send")}
            title={isWaiting ? t("conversation.sendWaits") : t("conversation.send")}
            disabled={!draft.trim() || isWaiting}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
