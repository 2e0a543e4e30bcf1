/** A conversation as the page shows it, folded from its events: `fold(talk, event)` is all there is to it. */
import type { Answer, Citation, Evidence, Fault, Focus, Highlight, Sentence, Usage, WireEvent } from "../api/shapes";

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

export interface Subagent {
  is: "subagent";
  id: string;
  name: string;
  task: string;
  status: "running" | "success" | "error";
  summary: string;
  error: string;
  steps: Step[];
}

/** Something that was done on the way to the answer, in the order it began. */
export type Step = Tool | Thought | Subagent;

/** A question and its answer, as far as it has come. `text` has the markers ` [n]` in it. */
export interface Turn {
  id: string;
  questionId: string;
  asked: string;
  understood: string | null;
  model: string;
  focus: Focus;
  state: "running" | "done" | "stopped" | "failed";
  text: string;
  sentences: Sentence[];
  citations: Citation[];
  evidence: Evidence[];
  steps: Step[];
  highlights: Highlight[];
  usage: Usage | null;
  fault: Fault | null;
  answer: Answer | null;
}

/** `seq` is the last event that was folded in. */
export interface Talk {
  turns: Turn[];
  seq: number;
}

export const SILENCE: Talk = { turns: [], seq: 0 };

/** The talk with one more event; one that is known already changes nothing. */
export function fold(talk: Talk, event: WireEvent): Talk {
  if (event.seq <= talk.seq) return talk;
  const seq = event.seq;
  if (event.type === "message_started") {
    return { seq, turns: [...talk.turns.filter((turn) => turn.id !== event.messageId), begun(event)] };
  }
  return { seq, turns: talk.turns.map((turn) => (turn.id === event.messageId ? next(turn, event) : turn)) };
}

/** The talk without one exchange and all that came after it: it is being asked again. */
export function before(talk: Talk, turn: string): Talk {
  const place = talk.turns.findIndex((each) => each.id === turn);
  return place < 0 ? talk : { ...talk, turns: talk.turns.slice(0, place) };
}

function begun({ messageId, data }: Extract<WireEvent, { type: "message_started" }>): Turn {
  return {
    id: messageId,
    questionId: data.questionId,
    asked: data.question,
    understood: null,
    model: data.model,
    focus: data.focus,
    state: "running",
    text: "",
    sentences: [],
    citations: [],
    evidence: [],
    steps: [],
    highlights: [],
    usage: null,
    fault: null,
    answer: null,
  };
}

function next(turn: Turn, event: WireEvent): Turn {
  switch (event.type) {
    case "question":
      return { ...turn, understood: event.data.rewritten ? event.data.question : null };
    case "text":
      return { ...turn, text: turn.text + event.data.delta };
    case "citation":
      return cited(turn, event.data.index, event.data.sentence, event.data.citations);
    case "evidence":
      return { ...turn, evidence: [...turn.evidence, event.data] };
    case "highlight":
      return { ...turn, highlights: [...turn.highlights, event.data] };
    case "usage":
      return { ...turn, usage: event.data };
    case "error":
      return { ...turn, fault: event.data };
    case "message_completed":
      return completed(turn, event.data);
    case "thought":
      return { ...retracted(turn, event.data.retracted), steps: stepped(turn.steps, event) };
    default:
      return { ...turn, steps: stepped(turn.steps, event) };
  }
}

/** The turn without the last characters of its text, counted as the server counts, and without what stood in them. */
function retracted(turn: Turn, characters: number): Turn {
  if (!characters) return turn;
  const points = [...turn.text];
  const left = points.slice(0, Math.max(0, points.length - characters));
  const sentences = turn.sentences.filter((each) => each.end <= left.length);
  const cited = new Set(sentences.flatMap((each) => each.citations));
  const citations = turn.citations.filter((each) => cited.has(each.n));
  return { ...turn, text: left.join(""), sentences, citations };
}

function cited(turn: Turn, index: number, sentence: Sentence, citations: Citation[]): Turn {
  const known = new Map(turn.citations.map((each) => [each.n, each]));
  for (const each of citations) known.set(each.n, each);
  const sentences = [...turn.sentences];
  sentences[index] = sentence;
  return { ...turn, sentences, citations: [...known.values()].sort((a, b) => a.n - b.n) };
}

function completed(turn: Turn, answer: Answer): Turn {
  const state = turn.fault ? "failed" : answer.stopped ? "stopped" : "done";
  const { sentences, citations, usage, model } = answer;
  return { ...turn, state, answer, text: answer.answer, sentences, citations, usage, model, steps: over(turn.steps) };
}

/** What was still running when the answer ended did not come to its end. */
function over(steps: Step[]): Step[] {
  return steps.map((step) => {
    if (step.is === "thought" || step.status !== "running") return step;
    return { ...step, status: "error", ...(step.is === "subagent" && { steps: over(step.steps) }) };
  });
}

/** The steps with what an event says of one; subagents' own events come wrapped and are folded in the same way. */
function stepped(steps: Step[], event: WireEvent): Step[] {
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
          ? { ...step, status: "success", attributes: { ...step.attributes, ...event.data.extra } }
          : step,
      );
    case "tool_call_error":
      return changed(steps, event.data.toolCallId, (step) =>
        step.is === "tool" ? { ...step, status: "error", error: event.data.error } : step,
      );
    case "subagent_started": {
      const { subagentId: id, name, task } = event.data;
      return [...steps, { is: "subagent", id, name, task, status: "running", summary: "", error: "", steps: [] }];
    }
    case "subagent_data": {
      const inner = { ...event.data.event, seq: event.seq, messageId: event.messageId } as unknown as WireEvent;
      return changed(steps, event.data.subagentId, (step) =>
        step.is === "subagent" ? { ...step, steps: stepped(step.steps, inner) } : step,
      );
    }
    case "subagent_completed":
      return changed(steps, event.data.subagentId, (step) =>
        step.is === "subagent" ? { ...step, status: "success", summary: event.data.summary } : step,
      );
    case "subagent_error":
      return changed(steps, event.data.subagentId, (step) =>
        step.is === "subagent" ? { ...step, status: "error", error: event.data.error } : step,
      );
    default:
      return steps;
  }
}

/** Thoughts come in pieces too: what follows a thought goes on with it. */
function thought(steps: Step[], text: string, seq: number): Step[] {
  if (!text) return steps;
  const last = steps.at(-1);
  if (last?.is === "thought") return [...steps.slice(0, -1), { ...last, text: last.text + text }];
  return [...steps, { is: "thought", id: `thought-${seq}`, text }];
}

function changed(steps: Step[], id: string, change: (step: Step) => Step): Step[] {
  return steps.map((step) => (step.is !== "thought" && step.id === id ? change(step) : step));
}

/** How many of a turn's sentences claim something, and how many of those hold. */
export function tally({ sentences }: Turn): { verified: number; judged: number } {
  const judged = sentences.filter((each) => each?.support);
  return { verified: judged.filter((each) => each.support === "verified").length, judged: judged.length };
}
