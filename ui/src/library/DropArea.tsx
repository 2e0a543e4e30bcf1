import { type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { dropped, hasFiles } from "./dropping";
import type { Given } from "./queue";

/** A room that takes files and folders dropped anywhere on the page, and says so while something is held over it. */
export function DropArea({ onFiles, children }: { onFiles: (files: Given[]) => void; children: ReactNode }) {
  const say = useWords();
  const [depth, setDepth] = useState(0);
  const latest = useRef(onFiles);
  latest.current = onFiles;

  useEffect(() => {
    const line = new AbortController();
    const on = (type: "dragenter" | "dragleave" | "dragover" | "drop", act: (event: DragEvent) => void) =>
      document.addEventListener(
        type,
        (event) => {
          if (!hasFiles(event.dataTransfer)) return;
          // Else the browser would leave the page and open the file.
          event.preventDefault();
          act(event);
        },
        { signal: line.signal },
      );
    on("dragenter", () => setDepth((now) => now + 1));
    on("dragleave", () => setDepth((now) => Math.max(0, now - 1)));
    on("dragover", () => undefined);
    on("drop", ({ dataTransfer }) => {
      setDepth(0);
      if (dataTransfer) void dropped(dataTransfer).then((files) => files.length && latest.current(files));
    });
    return () => line.abort();
  }, []);

  return (
    <section className="drop-area" aria-label={say("shell.library")}>
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
