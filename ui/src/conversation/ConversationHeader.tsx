import { useState } from "react";
import { useLocation } from "wouter";
import { server } from "../api/client";
import { toProblem } from "../api/problem";
import { Dialog } from "../components/Dialog";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { MenuItem } from "../components/MenuItem";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { notebookPanel } from "../notebook/notebookStore";
import { ShareLinkDialog } from "../sharing/ShareLinkDialog";
import { useMayShareByLink } from "../sharing/useMayShareByLink";
import { useStore } from "../state/store";
import { ReferenceItems } from "./citations/ReferenceItems";
import { conversationStore } from "./conversationStore";

const FORMATS = ["md", "html", "pdf", "json"] as const;
const FORMAT_LABELS = {
  md: "conversation.export.md",
  html: "conversation.export.html",
  pdf: "conversation.export.pdf",
  json: "conversation.export.json",
} as const;

/** The title of the conversation, and a menu to rename, share, export and delete it. */
export function ConversationHeader() {
  const t = useTranslate();
  const { id, title, pending } = useStore(conversationStore);
  const [window, setWindow] = useState<"rename" | "share" | "remove" | null>(null);
  const close = () => setWindow(null);
  const canShare = useMayShareByLink();
  const isNotebookOpen = useStore(notebookPanel);
  return (
    <header className="talk-head">
      <h1>{title || pending}</h1>
      <button
        type="button"
        className="icon-button"
        aria-label={t("notebook.panel")}
        title={t("notebook.panel")}
        aria-pressed={isNotebookOpen}
        onClick={() => notebookPanel.set(!isNotebookOpen)}
      >
        <Icon name="notebook" />
      </button>
      <Menu label={t("conversation.menu")} disabled={!id} trigger={<Icon name="menu" />}>
        {(leave) => (
          <>
            <MenuItem icon="edit" label={t("conversation.rename")} run={() => setWindow("rename")} close={leave} />
            {canShare && (
              <MenuItem icon="link" label={t("sharing.link.menu")} run={() => setWindow("share")} close={leave} />
            )}
            {FORMATS.map((format) => (
              <a
                key={format}
                role="menuitem"
                className="menu-item"
                href={`/api/conversations/${encodeURIComponent(id ?? "")}/export?format=${format}`}
                download
                onClick={leave}
              >
                <Icon name="export" size={16} /> {t(FORMAT_LABELS[format])}
              </a>
            ))}
            <ReferenceItems scope={{ conversation: id ?? "" }} close={leave} />
            <MenuItem
              icon="remove"
              label={t("conversation.remove")}
              run={() => setWindow("remove")}
              close={leave}
              isDanger
            />
          </>
        )}
      </Menu>
      {window === "rename" && <RenameDialog title={title} onClose={close} />}
      {window === "share" && id && <ShareLinkDialog conversation={id} onClose={close} />}
      {window === "remove" && id && <RemoveDialog id={id} onClose={close} />}
    </header>
  );
}

function RenameDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const t = useTranslate();
  const [name, setName] = useState(title);
  return (
    <Dialog title={t("conversation.rename")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!name.trim()) return;
          onClose();
          conversationStore.rename(name.trim()).catch((error) => showToast(describeError(t, toProblem(error)).message));
        }}
      >
        <input
          className="field"
          aria-label={t("conversation.title")}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("conversation.leave")}
          </button>
          <button type="submit" className="button main" disabled={!name.trim()}>
            {t("conversation.rename.do")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const remove = async () => {
    onClose();
    try {
      await server.DELETE("/api/conversations/{conversation}", { params: { path: { conversation: id } } });
      go("/");
    } catch (error) {
      showToast(describeError(t, toProblem(error)).message);
    }
  };
  return (
    <Dialog title={t("conversation.remove.title")} onClose={onClose}>
      <p>{t("conversation.remove.means")}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t("conversation.leave")}
        </button>
        <button type="button" className="button danger" onClick={remove}>
          {t("conversation.remove")}
        </button>
      </div>
    </Dialog>
  );
}
