import { describeError } from "../../components/ErrorMessage";
import { useTranslate } from "../../i18n";
import { SECTION_WRITER } from "../report/reportSections";
import type { Step, Subagent, Thought, Tool, Turn } from "../turns";
import { Disclosure, StepError, StepStatus } from "./Disclosure";
import { countRepairs, Repairs } from "./Repairs";
import { SubagentStep } from "./SubagentStep";
import { labelTool } from "./toolLabels";

/** The steps towards an answer: open while they run, folded once the answer has begun. */
export function StepList({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const isFolded = turn.text.trim() !== "" || turn.state !== "running";
  const { steps, repairs } = turn;
  if (!steps.length && !repairs.length) return null;
  // While a report is written, its outline shows the progress of the sections.
  const isSaid = (step: Step) => step.kind === "subagent" && step.name === SECTION_WRITER && turn.outline.length > 0;
  if (!isFolded) return <StepLines steps={steps.filter((step) => !isSaid(step))} turn={turn} />;
  const count = steps.filter((step) => step.kind !== "thought" || step.fault).length;
  const done = [];
  if (count) done.push(t.count("conversation.steps", count));
  else if (steps.length) done.push(t("conversation.thoughts"));
  done.push(...countRepairs(t, repairs));
  const failed = steps.some((step) => (step.kind === "thought" ? step.fault : step.status === "error"));
  return (
    <Disclosure
      label={
        <>
          <span>{done.join(" · ")}</span>
          {failed && <StepStatus status="error" />}
        </>
      }
    >
      <StepLines steps={steps} turn={turn} />
      <Repairs repairs={repairs} />
    </Disclosure>
  );
}

function StepLines({ steps, turn }: { steps: Step[]; turn: Turn }) {
  if (!steps.length) return null;
  return (
    <ul className="steps">
      {groupSteps(steps).map((row) =>
        Array.isArray(row) ? (
          <li key={row[0]?.id}>
            <ul className="parts">
              {row.map((part) => (
                <SubagentStep key={part.id} part={part} evidence={turn.evidence}>
                  <StepLines steps={part.steps} turn={turn} />
                </SubagentStep>
              ))}
            </ul>
          </li>
        ) : (
          <li key={row.id}>
            {row.kind === "tool" ? <ToolLine tool={row} turn={turn} /> : <ThoughtLine thought={row} />}
          </li>
        ),
      )}
    </ul>
  );
}

/** Group consecutive subagents: they are shown side by side. */
function groupSteps(steps: Step[]): (Tool | Thought | Subagent[])[] {
  const made: (Tool | Thought | Subagent[])[] = [];
  for (const step of steps) {
    const last = made.at(-1);
    if (step.kind !== "subagent") made.push(step);
    else if (Array.isArray(last)) last.push(step);
    else made.push([step]);
  }
  return made;
}

function ToolLine({ tool, turn }: { tool: Tool; turn: Turn }) {
  const t = useTranslate();
  return (
    <div className="step" data-status={tool.status}>
      <StepStatus status={tool.status} />
      <span className="step-words">{labelTool(t, tool, turn.evidence)}</span>
      {tool.status === "error" && <StepError error={tool.error} />}
    </div>
  );
}

function ThoughtLine({ thought }: { thought: Thought }) {
  const t = useTranslate();
  if (thought.fault) {
    const { message } = describeError(t, thought.fault);
    return (
      <div className="step" data-status="error">
        <StepStatus status="error" />
        <span className="step-words">{t("conversation.notShown", { message })}</span>
      </div>
    );
  }
  return (
    <Disclosure label={t("conversation.thought")}>
      <p className="step-thought">{thought.text.trim()}</p>
    </Disclosure>
  );
}
