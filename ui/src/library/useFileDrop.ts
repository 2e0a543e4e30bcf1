import { useEffect, useRef, useState } from "react";
import { hasFiles, readDroppedFiles } from "./droppedFiles";
import type { FileInFolder } from "./uploadQueue";

/** Take files and folders that are dropped on the page. Returns whether something is being dragged over it. */
export function useFileDrop(onFiles: (files: FileInFolder[]) => void): boolean {
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
          // Otherwise the browser leaves the page and opens the file.
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
      if (dataTransfer) void readDroppedFiles(dataTransfer).then((files) => files.length && latest.current(files));
    });
    return () => line.abort();
  }, []);

  return depth > 0;
}
