import { type DragEvent, type ReactNode, useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { dropped, hasFiles } from "./dropping";
import type { Given } from "./queue";

/** A place that takes dropped files and folders, and says so while something is held over it. */
export function DropArea({ onFiles, children }: { onFiles: (files: Given[]) => void; children: ReactNode }) {
  const say = useWords();
  const [depth, setDepth] = useState(0);

  const over = (event: DragEvent, by: number) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setDepth((now) => Math.max(0, now + by));
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setDepth(0);
    void dropped(event.dataTransfer).then((files) => files.length && onFiles(files));
  };

  return (
    <section
      className="drop-area"
      aria-label={say("shell.library")}
      onDragEnter={(event) => over(event, 1)}
      onDragLeave={(event) => over(event, -1)}
      onDragOver={(event) => over(event, 0)}
      onDrop={drop}
    >
      {children}
      {depth > 0 && (
        <div className="drop-here">
          <Icon name="add" size={28} />
          <p>{say("library.drop.now")}</p>
        </div>
      )}
    </section>
  );
}
