import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { useFileDrop } from "../../library/useFileDrop";
import { attachmentStore } from "./attachmentStore";

/** Takes files and folders that are dropped anywhere on the page, and attaches them to the question. */
export function AttachmentDropZone({ children }: { children: ReactNode }) {
  const t = useTranslate();
  const isHeld = useFileDrop((given) => attachmentStore.attachFiles(given.map(({ file }) => file)));
  return (
    <div className="dropping">
      {children}
      {isHeld && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="add" size={28} />
          <p>{t("conversation.drop")}</p>
        </div>
      )}
    </div>
  );
}
