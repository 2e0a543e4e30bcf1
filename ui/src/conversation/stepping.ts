/** What is done on the way to an answer, folded from events: tools, thoughts, and parts that are worked on apart. */
import type { Execution, WireEvent } from "../api/shapes";
import { shortened, withAttributes } from "./markup";

export interface Tool {
  is: "tool";
  id: string;
  name: string;
  attributes: Record<string, string>;
  status: "running" | "success" | "error";
  error: string;
}

export interface Thought {
  is: "thought";
  id: string;
  text: string;
}

/** A part of the question; `seconds` is null until it is over, `found` is how many passages it brought. */
export interface Subagent {
  is: "subagent";
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

/** Something that was done on the way to the answer, in the order it began. */
export type Step = Tool | Thought | Subagent;

/** What is done when nothing more is written for the moment. */
const ENDS_WRITING = new Set(["thought", "tool_call_started"]);

/** The event of its own that a subagent's event carries. */
export function unwrapped(event: Extract<WireEvent, { type: "subagent_data" }>): WireEvent {
  return { ...event.data.event, seq: event.seq, messageId: event.messageId } as unknown as WireEvent;
}

/** The steps with what an event says of one; subagents' own events come wrapped and are folded in the same way. */
export function stepped(steps: Step[], event: WireEvent): Step[] {
  switch (event.type) {
    case "thought":
      return thought(steps, event.data.text, event.seq);
    case "tool_call_started": {
      const { toolCallId: id, name, attributes, status } = event.data;
      return [...steps, { is: "tool", id, name, attributes, status, error: "" }];
    }
    case "tool_call_success":
      return changed(steps, event.data.toolCallId, (step) =>
        step.is === "tool"
          ? { ...step, status: "success", attributes: withAttributes(step.attributes, event.data.extra) }
          : step,
      );
    case "tool_call_error":
      return changed(steps, event.data.toolCallId, (step) =>
        step.is === "tool" ? { ...step, status: "error", error: shortened(event.data.error) } : step,
      );
    case "subagent_started":
      return [...steps, begun(event.data)];
    case "subagent_data": {
      const inner = unwrapped(event);
      return apart(steps, event.data.subagentId, (step) => ({
        ...step,
        steps: stepped(step.steps, inner),
        isWriting: inner.type === "text" || (step.isWriting && !ENDS_WRITING.has(inner.type)),
      }));
    }
    case "subagent_completed": {
      const { subagentId, summary, seconds = null } = event.data;
      return apart(steps, subagentId, (step) => ({ ...step, status: "success", summary, seconds }));
    }
    case "subagent_error": {
      const { subagentId, error, seconds = null } = event.data;
      return apart(steps, subagentId, (step) => ({ ...step, status: "error", error, seconds }));
    }
    default:
      return steps;
  }
}

/** The steps of an answer that is over: what still ran did not come to its end, and what each part brought is known. */
export function over(steps: Step[], executions: readonly Execution[] = []): Step[] {
  return steps.map((step) => {
    if (step.is === "thought") return step;
    const status = step.status === "running" ? "error" : step.status;
    if (step.is === "tool") return status === step.status ? step : { ...step, status };
    const ran = executions.find((each) => each.id === step.id);
    const { found, seconds } = ran ?? step;
    return { ...step, status, steps: over(step.steps), found, seconds };
  });
}

function begun({ subagentId: id, name, task }: Extract<WireEvent, { type: "subagent_started" }>["data"]): Subagent {
  const nothing = { summary: "", error: "", seconds: null, found: 0, isWriting: false, steps: [] };
  return { is: "subagent", id, name, task, status: "running", ...nothing };
}

/** Thoughts come in pieces too: what follows a thought goes on with it. */
function thought(steps: Step[], text: string, seq: number): Step[] {
  if (!text) return steps;
  const last = steps.at(-1);
  if (last?.is === "thought") return [...steps.slice(0, -1), { ...last, text: last.text + text }];
  return [...steps, { is: "thought", id: `thought-${seq}`, text }];
}

function apart(steps: Step[], id: string, change: (step: Subagent) => Subagent): Step[] {
  return changed(steps, id, (step) => (step.is === "subagent" ? change(step) : step));
}

function changed(steps: Step[], id: string, change: (step: Step) => Step): Step[] {
  return steps.map((step) => (step.is !== "thought" && step.id === id ? change(step) : step));
}
