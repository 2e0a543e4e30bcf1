/** The steps towards an answer, folded from events: tool calls, thoughts and subagents. */
import type { Execution, Fault, WireEvent } from "../../api/types";
import { mergeAttributes, shorten } from "./toolElements";

export interface Tool {
  kind: "tool";
  id: string;
  name: string;
  attributes: Record<string, string>;
  status: "running" | "success" | "error";
  error: string;
}

export interface Thought {
  kind: "thought";
  id: string;
  text: string;
  /** What was wrong with a command of the answer to the viewer; null for a thought. */
  fault: Fault | null;
}

/** A subagent. `seconds` is null until it is done; `found` counts the passages that it found. */
export interface Subagent {
  kind: "subagent";
  id: string;
  name: string;
  task: string;
  status: "running" | "success" | "error";
  summary: string;
  error: string;
  seconds: number | null;
  found: number;
  isWriting: boolean;
  steps: Step[];
}

/** A step towards the answer. Steps are in the order in which they began. */
export type Step = Tool | Thought | Subagent;

type ThoughtData = Extract<WireEvent, { type: "thought" }>["data"];

/** The events after which a subagent is not writing any more. */
const ENDS_WRITING = new Set(["thought", "tool_call_started"]);

/** Return the event that a subagent's event wraps. */
export function unwrapEvent(event: Extract<WireEvent, { type: "subagent_data" }>): WireEvent {
  return { ...event.data.event, seq: event.seq, messageId: event.messageId } as unknown as WireEvent;
}

/** Fold an event into the steps. A subagent's own events are wrapped and folded in the same way. */
export function foldStep(steps: Step[], event: WireEvent): Step[] {
  switch (event.type) {
    case "thought":
      return appendThought(steps, event.data, event.seq);
    case "tool_call_started": {
      const { toolCallId: id, name, attributes, status } = event.data;
      return [...steps, { kind: "tool", id, name, attributes, status, error: "" }];
    }
    case "tool_call_success":
      return changeStep(steps, event.data.toolCallId, (step) =>
        step.kind === "tool"
          ? { ...step, status: "success", attributes: mergeAttributes(step.attributes, event.data.extra) }
          : step,
      );
    case "tool_call_error":
      return changeStep(steps, event.data.toolCallId, (step) =>
        step.kind === "tool" ? { ...step, status: "error", error: shorten(event.data.error) } : step,
      );
    case "subagent_started":
      return [...steps, startSubagent(event.data)];
    case "subagent_data": {
      const inner = unwrapEvent(event);
      return changeSubagent(steps, event.data.subagentId, (step) => ({
        ...step,
        steps: foldStep(step.steps, inner),
        isWriting: inner.type === "text" || (step.isWriting && !ENDS_WRITING.has(inner.type)),
      }));
    }
    case "subagent_completed": {
      const { subagentId, summary, seconds = null } = event.data;
      return changeSubagent(steps, subagentId, (step) => ({ ...step, status: "success", summary, seconds }));
    }
    case "subagent_error": {
      const { subagentId, error, seconds = null } = event.data;
      return changeSubagent(steps, subagentId, (step) => ({ ...step, status: "error", error, seconds }));
    }
    default:
      return steps;
  }
}

/**
 * End the steps of a complete answer: those that were still running have failed, and the results of subagents are
 * known.
 */
export function endSteps(steps: Step[], executions: readonly Execution[] = []): Step[] {
  return steps.map((step) => {
    if (step.kind === "thought") return step;
    const status = step.status === "running" ? "error" : step.status;
    if (step.kind === "tool") return status === step.status ? step : { ...step, status };
    const ran = executions.find((each) => each.id === step.id);
    const { found, seconds } = ran ?? step;
    return { ...step, status, steps: endSteps(step.steps), found, seconds };
  });
}

function startSubagent({
  subagentId: id,
  name,
  task,
}: Extract<WireEvent, { type: "subagent_started" }>["data"]): Subagent {
  const nothing = { summary: "", error: "", seconds: null, found: 0, isWriting: false, steps: [] };
  return { kind: "subagent", id, name, task, status: "running", ...nothing };
}

/** Append a thought; consecutive thoughts are joined, except those that report an error. */
function appendThought(steps: Step[], { text, error = null }: ThoughtData, seq: number): Step[] {
  if (!text) return steps;
  const last = steps.at(-1);
  if (last?.kind === "thought" && !last.fault && !error)
    return [...steps.slice(0, -1), { ...last, text: last.text + text }];
  return [...steps, { kind: "thought", id: `thought-${seq}`, text, fault: error }];
}

function changeSubagent(steps: Step[], id: string, change: (step: Subagent) => Subagent): Step[] {
  return changeStep(steps, id, (step) => (step.kind === "subagent" ? change(step) : step));
}

function changeStep(steps: Step[], id: string, change: (step: Step) => Step): Step[] {
  return steps.map((step) => (step.kind !== "thought" && step.id === id ? change(step) : step));
}
