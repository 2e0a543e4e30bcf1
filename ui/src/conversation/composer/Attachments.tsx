import { useRef, useState } from "react";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { nameProject, projectsStore } from "../../projects/projectsStore";
import { useStore } from "../../state/store";
import { openFile } from "../../viewer/viewerStore";
import { type Attachment, attachmentStore } from "./attachmentStore";
import {
  notebookScopeStore,
  projectStore,
  removeFromScope,
  scopeConversation,
  scopeStore,
  tagScopeStore,
  toggleTag,
} from "./questionOptions";

const MANY = 3; // documents that are all shown
const FIRST = 2; // documents that are shown of more

/** The project, the notebook and the documents or tags that the question is about, and the files that are being uploaded for it. */
export function Attachments() {
  const t = useTranslate();
  const project = useStore(projectStore);
  const notebook = useStore(notebookScopeStore);
  const chosen = useStore(scopeStore);
  const tags = useStore(tagScopeStore);
  const files = useAttachments();
  if (!project && !notebook && !chosen.length && !tags.length && !files.length) return null;
  return (
    <ul className="attachments" aria-label={t("conversation.scope.chosen")}>
      {project && <ChosenProject id={project} />}
      {notebook && (
        <li className="attachment">
          <Icon name="notebook" size={16} />
          <span className="attachment-name">{t("conversation.scope.notebook", { title: notebook.title })}</span>
          <button
            type="button"
            aria-label={t("conversation.scope.remove", { title: notebook.title })}
            onClick={() => notebookScopeStore.set(null)}
          >
            <Icon name="close" size={14} />
          </button>
        </li>
      )}
      <ChosenDocuments />
      {tags.map((tag) => (
        <li key={tag} className="attachment">
          <Icon name="tag" size={16} />
          <span className="attachment-name">{tag}</span>
          <button
            type="button"
            aria-label={t("conversation.scope.remove", { title: tag })}
            onClick={() => toggleTag(tag)}
          >
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      {files.map((file) => (
        <PendingAttachment key={file.key} file={file} />
      ))}
    </ul>
  );
}

/** The documents of the question. Of many the first ones are shown, and a button for the rest. */
function ChosenDocuments() {
  const t = useTranslate();
  const chosen = useStore(scopeStore);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || chosen.length <= MANY ? chosen : chosen.slice(0, FIRST);
  return (
    <>
      {shown.map(({ id, title }) => (
        <li key={id} className="attachment">
          <Icon name="document" size={16} />
          <span className="attachment-name">{title}</span>
          <button
            type="button"
            aria-label={t("conversation.scope.remove", { title })}
            onClick={() => removeFromScope(id)}
          >
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      {chosen.length > MANY && (
        <li>
          <button
            type="button"
            className="attachment attachment-more"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? t("conversation.scope.fewer") : t("conversation.scope.more", { n: chosen.length - FIRST })}
          </button>
        </li>
      )}
    </>
  );
}

/** Return the files that are being uploaded for the question of the open conversation. */
export function useAttachments(): Attachment[] {
  const conversation = useStore(scopeConversation);
  return useStore(attachmentStore).filter((each) => each.conversation === conversation);
}

/** The project of the question, with a button that shows its files. */
function ChosenProject({ id }: { id: string }) {
  const t = useTranslate();
  const name = nameProject(useStore(projectsStore), id);
  return (
    <li className="attachment">
      <Icon name="folder" size={16} />
      <span className="attachment-name">{name}</span>
      <button
        type="button"
        aria-label={t("projects.browse", { name })}
        title={t("projects.browse", { name })}
        onClick={() => openFile(id)}
      >
        <Icon name="outline" size={14} />
      </button>
      <button
        type="button"
        aria-label={t("conversation.scope.remove", { title: name })}
        onClick={() => projectStore.set("")}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}

function PendingAttachment({ file }: { file: Attachment }) {
  const t = useTranslate();
  const { name, share, problem, cancel: leave } = file;
  const percent = Math.round(share * 100);
  const state = share < 1 ? t("conversation.attach.sending", { percent }) : t("conversation.attach.reading");
  return (
    <li className="attachment" data-problem={problem ? true : undefined}>
      {problem ? <Icon name="bad" size={16} /> : <span className="spinner" aria-hidden="true" />}
      <span className="attachment-name">{name}</span>
      <span className="soft" role="status">
        {problem ? describeError(t, problem).message : state}
      </span>
      <button type="button" aria-label={t("conversation.attach.leave", { name })} onClick={leave}>
        <Icon name="close" size={14} />
      </button>
      {!problem && <span className="attachment-share" style={{ width: `${percent}%` }} aria-hidden="true" />}
    </li>
  );
}

/** A button that chooses files to attach: an icon, or these words. */
export function AttachButton({ words }: { words?: string }) {
  const t = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className={words ? "button main" : "icon-button"}
        aria-label={words ?? t("conversation.attach")}
        title={words ? undefined : t("conversation.attach")}
        onClick={() => input.current?.click()}
      >
        {words ?? <Icon name="attach" />}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t("conversation.attach")}
        onChange={(event) => {
          attachmentStore.attachFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
