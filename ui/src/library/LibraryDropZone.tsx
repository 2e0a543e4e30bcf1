import type { ReactNode } from "react";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import type { FileInFolder } from "./uploadQueue";
import { useFileDrop } from "./useFileDrop";

/** Takes files and folders that are dropped anywhere on the page, and shows that while they are dragged over it. */
export function LibraryDropZone({
  isOpen,
  onFiles,
  children,
}: {
  /** Whether the person may add files. */
  isOpen: boolean;
  onFiles: (files: FileInFolder[]) => void;
  children: ReactNode;
}) {
  const t = useTranslate();
  const isHeld = useFileDrop((files) => isOpen && onFiles(files)) && isOpen;
  return (
    <section className="drop-area" aria-label={t("shell.library")}>
      {children}
      {isHeld && (
        <div className="drop-here">
          <Icon name="add" size={28} />
          <p>{t("library.drop.now")}</p>
        </div>
      )}
    </section>
  );
}
