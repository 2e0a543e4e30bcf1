import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { attach } from "./attaching";

/** The whole room takes files that are dropped on it, and says so while they are above it. */
export function Dropping({ children }: { children: ReactNode }) {
  const say = useWords();
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  const move = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for pointers; the button in the composer is for all
    <div
      className="dropping"
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        attach([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="add" size={28} />
          <p>{say("conversation.drop")}</p>
        </div>
      )}
    </div>
  );
}
