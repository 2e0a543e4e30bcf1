import { type ReactNode, useState } from "react";
import { Icon } from "../look/Icon";
import { type Say, useWords } from "../words";
import { toolWords } from "./doing";
import type { Step, Subagent, Thought, Tool, Turn } from "./turns";

const LONGEST = 300;

/** What was done on the way to an answer: open while it is being done, folded once the answer has begun. */
export function Steps({ turn, seconds }: { turn: Turn; seconds: number | null }) {
  const say = useWords();
  const isFolded = turn.text.trim() !== "" || turn.state !== "running";
  const { steps } = turn;
  if (!steps.length) return null;
  if (!isFolded) return <List steps={steps} turn={turn} />;
  const count = steps.filter((step) => step.is !== "thought").length;
  const summary = count ? say.count("conversation.steps", count) : say("conversation.thoughts");
  const failed = steps.some((step) => step.is !== "thought" && step.status === "error");
  return (
    <Fold
      label={
        <>
          <span>
            {summary}
            {seconds !== null && ` · ${duration(say, seconds)}`}
          </span>
          {failed && <Status status="error" />}
        </>
      }
    >
      <List steps={steps} turn={turn} />
    </Fold>
  );
}

/** Seconds as people say them. */
export function duration(say: Say, seconds: number): string {
  const format = new Intl.NumberFormat(say.language, { maximumFractionDigits: seconds < 10 ? 1 : 0 });
  return say("conversation.seconds", { seconds: format.format(seconds) });
}

function List({ steps, turn }: { steps: Step[]; turn: Turn }) {
  return (
    <ul className="steps">
      {steps.map((step) => (
        <li key={step.id}>
          {step.is === "tool" && <ToolLine tool={step} turn={turn} />}
          {step.is === "thought" && <ThoughtLine thought={step} />}
          {step.is === "subagent" && <SubagentCard subagent={step} turn={turn} />}
        </li>
      ))}
    </ul>
  );
}

function ToolLine({ tool, turn }: { tool: Tool; turn: Turn }) {
  const say = useWords();
  return (
    <div className="step" data-status={tool.status}>
      <Status status={tool.status} />
      <span className="step-words">{toolWords(say, tool, turn.evidence)}</span>
      {tool.status === "error" && (
        <span className="step-error">{tool.error ? shortened(tool.error) : say("conversation.stepBroken")}</span>
      )}
    </div>
  );
}

function ThoughtLine({ thought }: { thought: Thought }) {
  const say = useWords();
  return (
    <Fold label={say("conversation.thought")}>
      <p className="step-thought">{thought.text.trim()}</p>
    </Fold>
  );
}

function SubagentCard({ subagent, turn }: { subagent: Subagent; turn: Turn }) {
  const say = useWords();
  const { status, name, task, steps, summary, error } = subagent;
  return (
    <div className="subagent" data-status={status}>
      <Fold
        label={
          <>
            <Status status={status} />
            <span className="step-words">
              <strong>{name}</strong>
              <span className="subagent-task">{task}</span>
            </span>
          </>
        }
      >
        {steps.length > 0 && <List steps={steps} turn={turn} />}
        {summary && <p className="subagent-summary">{summary}</p>}
        {status === "error" && (
          <p className="step-error">{error ? shortened(error) : say("conversation.stepBroken")}</p>
        )}
      </Fold>
    </div>
  );
}

function Status({ status }: { status: Tool["status"] }) {
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

function Fold({ label, children }: { label: ReactNode; children: ReactNode }) {
  const [isOpen, set] = useState(false);
  return (
    <div className="fold">
      <button type="button" className="fold-button" aria-expanded={isOpen} onClick={() => set(!isOpen)}>
        <Icon name="forward" size={14} />
        {label}
      </button>
      {isOpen && <div className="fold-inside">{children}</div>}
    </div>
  );
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
