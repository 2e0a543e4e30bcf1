import type { ReactNode } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { useDrops } from "./drops";
import type { Given } from "./queue";

/** A room that takes files and folders dropped anywhere on the page, and says so while something is held over it. */
export function DropArea({ onFiles, children }: { onFiles: (files: Given[]) => void; children: ReactNode }) {
  const say = useWords();
  const isHeld = useDrops(onFiles);
  return (
    <section className="drop-area" aria-label={say("shell.library")}>
      {children}
      {isHeld && (
        <div className="drop-here">
          <Icon name="add" size={28} />
          <p>{say("library.drop.now")}</p>
        </div>
      )}
    </section>
  );
}
