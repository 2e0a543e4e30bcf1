import type { ReactNode } from "react";
import { useMay } from "../../account/accountStore";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { useFileDrop } from "../../library/useFileDrop";
import { attachmentStore } from "./attachmentStore";

/** Takes files and folders that are dropped anywhere on the page, and attaches them to the question. */
export function AttachmentDropZone({ children }: { children: ReactNode }) {
  const t = useTranslate();
  const mayAdd = useMay("write");
  const isHeld = useFileDrop((given) => {
    if (mayAdd) attachmentStore.attachFiles(given.map(({ file }) => file));
  });
  return (
    <div className="dropping">
      {children}
      {isHeld && mayAdd && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="add" size={28} />
          <p>{t("conversation.drop")}</p>
        </div>
      )}
    </div>
  );
}
