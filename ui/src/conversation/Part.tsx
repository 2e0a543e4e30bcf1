import { type ReactNode, useId, useState } from "react";
import type { Evidence } from "../api/shapes";
import { Icon } from "../look/Icon";
import { type Key, type Say, useWords } from "../words";
import { duration, toolWords } from "./doing";
import { Broken, Status } from "./Fold";
import { Plain } from "./Prose";
import type { Subagent } from "./turns";

const NAMES: Record<string, Key> = {
  deep_research: "conversation.part.deep_research",
  file_analyzer: "conversation.part.file_analyzer",
  section_writer: "conversation.part.section_writer",
  content_synthesizer: "conversation.part.content_synthesizer",
};

const BRIEF = 0.05; // seconds that are not worth a word

interface PartProps {
  part: Subagent;
  evidence: readonly Evidence[];
  /** What it did, one line each. */
  children: ReactNode;
}

/** A part of the question that is worked on apart: who, on what, how far; opened, what it did and what came of it. */
export function Part({ part, evidence, children }: PartProps) {
  const say = useWords();
  const id = useId();
  const [isOpen, set] = useState(false);
  const { status, name, task, summary, error } = part;
  const known = NAMES[name];
  return (
    <li className="part" data-status={status} data-name={name} data-open={isOpen || undefined}>
      <button
        type="button"
        className="part-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => set(!isOpen)}
      >
        <span className="part-name">
          <Status status={status} />
          <strong>{known ? say(known) : name}</strong>
          <Icon name="forward" size={14} />
        </span>
        <span className="part-task">{task}</span>
        <span className="part-now">{activity(say, part, evidence)}</span>
      </button>
      <div id={id} className="part-inside" hidden={!isOpen}>
        {isOpen && (
          <>
            {children}
            {summary.trim() && <Plain text={summary} />}
            {status === "error" && <Broken error={error} />}
          </>
        )}
      </div>
    </li>
  );
}

/** What a part does at this moment; when it is over, how long it took and how much it found. */
export function activity(
  say: Say,
  { status, steps, seconds, found, isWriting }: Subagent,
  evidence: readonly Evidence[],
) {
  if (status === "running") {
    if (isWriting) return say("conversation.part.writes");
    const tool = steps.findLast((step) => step.is === "tool");
    return tool ? toolWords(say, tool, evidence) : say("conversation.part.begins");
  }
  const told = [];
  if (seconds && seconds >= BRIEF) told.push(duration(say, seconds));
  if (found) told.push(say.count("conversation.found", found));
  return told.join(" · ");
}
