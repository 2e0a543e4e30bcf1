/** A conversation as the page shows it, folded from its events: `fold(talk, event)` is all there is to it. */
import type {
  Answer,
  Citation,
  Evidence,
  Fault,
  Focus,
  Highlight,
  Medium,
  Repair,
  Section,
  Sent,
  Sentence,
  ShownPassage,
  Usage,
  WireEvent,
} from "../api/shapes";
import { over, type Step, stepped, unwrapped } from "./stepping";

export type { Step, Subagent, Thought, Tool } from "./stepping";

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
  repairs: Repair[];
  evidence: Evidence[];
  steps: Step[];
  highlights: Highlight[];
  media: Medium[];
  outline: Section[];
  passages: ShownPassage[];
  /** Addresses and searches that left this machine for the answer. */
  sent: Sent[];
  usage: Usage | null;
  fault: Fault | null;
  answer: Answer | null;
}

/** `seq` is the last event that was folded in. */
export interface Talk {
  turns: Turn[];
  seq: number;
}

type Repaired = Extract<WireEvent, { type: "repaired" }>["data"];

const BLANK = {
  ...{ basis: null, reasons: [], checking: false, unsupported: [], source: "", computed: "" },
  ...{ judge: "", suggested: [], silent: false },
};
/** What citations that were stored before these were known lack. */
const PLAIN = { heads: [], rows: [], lit: [], name: "", label: "" };

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
    repairs: [],
    evidence: [],
    steps: [],
    highlights: [],
    media: [],
    outline: [],
    passages: [],
    sent: [],
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
    case "repaired":
      return repaired(turn, event.data);
    case "evidence":
      return { ...turn, evidence: joined(turn.evidence, [event.data]) };
    case "media":
      return { ...turn, media: joined(turn.media, event.data.items) };
    case "passage":
      return { ...turn, passages: joined(turn.passages, [event.data]) };
    case "sent":
      return { ...turn, sent: [...turn.sent, event.data] };
    case "outline":
      return { ...turn, outline: event.data.sections };
    case "subagent_data":
      return partly({ ...turn, steps: stepped(turn.steps, event) }, unwrapped(event));
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

/** What a part of the question says that is of the whole: what it found is the answer's, and so are its pictures. */
function partly(turn: Turn, inner: WireEvent): Turn {
  return inner.type === "evidence" || inner.type === "media" ? next(turn, inner) : turn;
}

/** Things that are numbered in the turn, with new ones; each number once. */
function joined<T extends { n: number }>(known: T[], more: readonly T[]): T[] {
  const fresh = more.filter(({ n }) => !known.some((each) => each.n === n));
  return fresh.length ? [...known, ...fresh] : known;
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
  for (const each of citations) known.set(each.n, wholeCitation(each));
  const sentences = [...turn.sentences];
  sentences[index] = wholeSentence(sentence);
  return { ...turn, sentences, citations: [...known.values()].sort((a, b) => a.n - b.n) };
}

/** The turn with the corrected answer in place of its words and marks. */
function repaired(turn: Turn, { answer, sentences, citations, repairs }: Repaired): Turn {
  return {
    ...turn,
    text: answer,
    sentences: sentences.map(wholeSentence),
    citations: citations.map(wholeCitation),
    repairs,
  };
}

/** A sentence with every field; those that were stored before verdicts had reasons of their own lack some. */
function wholeSentence(sentence: Sentence): Sentence {
  return { ...BLANK, ...sentence };
}

function wholeCitation(citation: Citation): Citation {
  return { ...PLAIN, ...citation };
}

function completed(turn: Turn, answer: Answer): Turn {
  const state = turn.fault ? "failed" : answer.stopped ? "stopped" : "done";
  const { usage, model } = answer;
  // Whatever was still being checked when an answer broke off is not checked any more.
  const sentences = answer.sentences.map((each) => ({ ...wholeSentence(each), checking: false }));
  const citations = answer.citations.map(wholeCitation);
  // Answers from before there were pictures, reports, repairs and passages have none of them.
  const {
    media = [],
    outline = [],
    subagents = [],
    repairs = [],
    passages = [],
    sent = [],
  } = answer as Partial<Answer>;
  // Of one that broke off, what was told on the way is all there is; else a report may have come to nothing.
  const gathered = {
    media: media.length ? media : turn.media,
    outline: outline.length || !turn.fault ? outline : turn.outline,
    passages: passages.length || !turn.fault ? passages : turn.passages,
    sent: sent.length ? sent : turn.sent,
  };
  const steps = over(turn.steps, subagents);
  const said = { text: answer.answer, sentences, citations, repairs };
  return { ...turn, ...gathered, ...said, state, answer, usage, model, steps };
}
