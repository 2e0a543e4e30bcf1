import { type ReactNode, useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import type { Tool } from "./turns";

const LONGEST = 300;

/** A line that opens what belongs to it, and closes it again. */
export function Fold({ label, children }: { label: ReactNode; children: ReactNode }) {
  const [isOpen, set] = useState(false);
  return (
    <div className="fold" data-open={isOpen || undefined}>
      <button type="button" className="fold-button" aria-expanded={isOpen} onClick={() => set(!isOpen)}>
        <Icon name="forward" size={14} />
        {label}
      </button>
      {isOpen && <div className="fold-inside">{children}</div>}
    </div>
  );
}

/** How far something is, by shape and in words. */
export function Status({ status }: { status: Tool["status"] }) {
  const say = useWords();
  if (status === "running") return <span className="spinner" role="img" aria-label={say("conversation.stepRunning")} />;
  const isDone = status === "success";
  return (
    <span
      className="step-status"
      data-is={status}
      role="img"
      aria-label={say(isDone ? "conversation.stepDone" : "conversation.stepFailed")}
    >
      <Icon name={isDone ? "check" : "cross"} size={16} />
    </span>
  );
}

/** Why something did not work, cut where it is long. */
export function Broken({ error }: { error: string }) {
  const say = useWords();
  const told = error.length > LONGEST ? `${error.slice(0, LONGEST)}…` : error;
  return <span className="step-error">{told || say("conversation.stepBroken")}</span>;
}
