import { type ReactNode, useId, useState } from "react";
import type { Evidence } from "../../api/types";
import { Icon } from "../../components/Icon";
import { type MessageKey, type Translate, useTranslate } from "../../i18n";
import { PlainMarkdown } from "../thread/AnswerText";
import type { Subagent } from "../turns";
import { StepError, StepStatus } from "./Disclosure";
import { formatSeconds, labelTool } from "./toolLabels";

const NAMES: Record<string, MessageKey> = {
  deep_research: "conversation.part.deep_research",
  file_analyzer: "conversation.part.file_analyzer",
  section_writer: "conversation.part.section_writer",
  content_synthesizer: "conversation.part.content_synthesizer",
};

const BRIEF = 0.05; // shorter times are not shown

interface SubagentStepProps {
  part: Subagent;
  evidence: readonly Evidence[];
  /** The steps of the subagent. */
  children: ReactNode;
}

/** A subagent's work on a part of the question: its name, task and progress. Opened, its steps and its result. */
export function SubagentStep({ part, evidence, children }: SubagentStepProps) {
  const t = useTranslate();
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
          <StepStatus status={status} />
          <strong>{known ? t(known) : name}</strong>
          <Icon name="forward" size={14} />
        </span>
        <span className="part-task">{task}</span>
        <span className="part-now">{describeActivity(t, part, evidence)}</span>
      </button>
      <div id={id} className="part-inside" hidden={!isOpen}>
        {isOpen && (
          <>
            {children}
            {summary.trim() && <PlainMarkdown text={summary} />}
            {status === "error" && <StepError error={error} />}
          </>
        )}
      </div>
    </li>
  );
}

/** Describe what a subagent is doing now, or how long it took and how much it found. */
export function describeActivity(
  t: Translate,
  { status, steps, seconds, found, isWriting }: Subagent,
  evidence: readonly Evidence[],
) {
  if (status === "running") {
    if (isWriting) return t("conversation.part.writes");
    const tool = steps.findLast((step) => step.kind === "tool");
    return tool ? labelTool(t, tool, evidence) : t("conversation.part.begins");
  }
  const told = [];
  if (seconds && seconds >= BRIEF) told.push(formatSeconds(t, seconds));
  if (found) told.push(t.count("conversation.found", found));
  return told.join(" · ");
}
