import type { ReactNode } from "react";
import { useDrops } from "../library/drops";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { attach } from "./attaching";

/** The room with what is on it; files and folders dropped anywhere on the page go with the question. */
export function Dropping({ children }: { children: ReactNode }) {
  const say = useWords();
  const isHeld = useDrops((given) => attach(given.map(({ file }) => file)));
  return (
    <div className="dropping">
      {children}
      {isHeld && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="add" size={28} />
          <p>{say("conversation.drop")}</p>
        </div>
      )}
    </div>
  );
}
