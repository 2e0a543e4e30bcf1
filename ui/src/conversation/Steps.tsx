import { useWords } from "../words";
import { duration, toolWords } from "./doing";
import { Broken, Fold, Status } from "./Fold";
import { Part } from "./Part";
import { Repairs, repairWords } from "./Repairs";
import { WRITER } from "./sections";
import type { Step, Subagent, Thought, Tool, Turn } from "./turns";

/** What was done on the way to an answer: open while it is being done, folded once the answer has begun. */
export function Steps({ turn, seconds }: { turn: Turn; seconds: number | null }) {
  const say = useWords();
  const isFolded = turn.text.trim() !== "" || turn.state !== "running";
  const { steps, repairs } = turn;
  if (!steps.length && !repairs.length) return null;
  // While a report is made, its outline says how far each section is.
  const isSaid = (step: Step) => step.is === "subagent" && step.name === WRITER && turn.outline.length > 0;
  if (!isFolded) return <List steps={steps.filter((step) => !isSaid(step))} turn={turn} />;
  const count = steps.filter((step) => step.is !== "thought").length;
  const done = [];
  if (count) done.push(say.count("conversation.steps", count));
  else if (steps.length) done.push(say("conversation.thoughts"));
  done.push(...repairWords(say, repairs));
  if (seconds !== null) done.push(duration(say, seconds));
  const failed = steps.some((step) => step.is !== "thought" && step.status === "error");
  return (
    <Fold
      label={
        <>
          <span>{done.join(" · ")}</span>
          {failed && <Status status="error" />}
        </>
      }
    >
      <List steps={steps} turn={turn} />
      <Repairs repairs={repairs} />
    </Fold>
  );
}

function List({ steps, turn }: { steps: Step[]; turn: Turn }) {
  if (!steps.length) return null;
  return (
    <ul className="steps">
      {rows(steps).map((row) =>
        Array.isArray(row) ? (
          <li key={row[0]?.id}>
            <ul className="parts">
              {row.map((part) => (
                <Part key={part.id} part={part} evidence={turn.evidence}>
                  <List steps={part.steps} turn={turn} />
                </Part>
              ))}
            </ul>
          </li>
        ) : (
          <li key={row.id}>
            {row.is === "tool" ? <ToolLine tool={row} turn={turn} /> : <ThoughtLine thought={row} />}
          </li>
        ),
      )}
    </ul>
  );
}

/** The steps as they are drawn: parts that follow one another stand side by side. */
function rows(steps: Step[]): (Tool | Thought | Subagent[])[] {
  const made: (Tool | Thought | Subagent[])[] = [];
  for (const step of steps) {
    const last = made.at(-1);
    if (step.is !== "subagent") made.push(step);
    else if (Array.isArray(last)) last.push(step);
    else made.push([step]);
  }
  return made;
}

function ToolLine({ tool, turn }: { tool: Tool; turn: Turn }) {
  const say = useWords();
  return (
    <div className="step" data-status={tool.status}>
      <Status status={tool.status} />
      <span className="step-words">{toolWords(say, tool, turn.evidence)}</span>
      {tool.status === "error" && <Broken error={tool.error} />}
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
