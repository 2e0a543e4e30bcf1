import { useEffect, useRef, useState } from "react";
import { dropped, hasFiles } from "./dropping";
import type { Given } from "./queue";

/** Take files and folders that are dropped anywhere on the page; gives whether something is held over it. */
export function useDrops(onFiles: (files: Given[]) => void): boolean {
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

  return depth > 0;
}
