/** A conversation as the page shows it, folded from its events by one pure function: `foldEvent(thread, event)`. */
import type {
  Answer,
  Citation,
  ClientCall,
  ClientResult,
  Evidence,
  Fault,
  Focus,
  Highlight,
  Medium,
  ProposedChanges,
  Repair,
  Section,
  Sentence,
  SentItem,
  ShownPassage,
  Usage,
  WireEvent,
} from "../api/types";
import { endSteps, foldStep, type Step, unwrapEvent } from "./steps/steps";

export type { Step, Subagent, Thought, Tool } from "./steps/steps";

/** A question and its answer so far. `text` contains the markers ` [n]`. */
export interface Turn {
  id: string;
  questionId: string;
  question: string;
  rewrittenQuestion: string | null;
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
  /** The page that the answer leads to; null if it leads to none, or to one of its highlights after that. */
  destination: Destination | null;
  media: Medium[];
  outline: Section[];
  passages: ShownPassage[];
  /** The addresses and searches that left this machine for the answer. */
  sent: SentItem[];
  /** The changes of a project's files that the answer proposes. */
  changes: ProposedChanges | null;
  /** The requests to the user with which the answer ends, and what was done about them, here or elsewhere. */
  calls: ClientCall[];
  results: ClientResult[];
  usage: Usage | null;
  fault: Fault | null;
  answer: Answer | null;
}

/** A page of a document. */
export interface Destination {
  document: string;
  page: number;
}

/** `seq` is the number of the last event that was folded in. */
export interface Thread {
  turns: Turn[];
  seq: number;
}

type Repaired = Extract<WireEvent, { type: "repaired" }>["data"];

const SENTENCE_DEFAULTS = {
  ...{ basis: null, reasons: [], checking: false, unsupported: [], source: "", computed: "" },
  ...{ judge: "", suggested: [], silent: false },
};
/** The defaults of fields that older stored citations lack. */
const CITATION_DEFAULTS = { heads: [], rows: [], lit: [], name: "", label: "", lines: null, path: "" };

export const EMPTY_THREAD: Thread = { turns: [], seq: 0 };

/** Fold an event into a thread. An event that was folded in before changes nothing. */
export function foldEvent(talk: Thread, event: WireEvent): Thread {
  if (event.seq <= talk.seq) return talk;
  const seq = event.seq;
  if (event.type === "message_started") {
    return { seq, turns: [...talk.turns.filter((turn) => turn.id !== event.messageId), startTurn(event)] };
  }
  return { seq, turns: talk.turns.map((turn) => (turn.id === event.messageId ? updateTurn(turn, event) : turn)) };
}

/** Drop an exchange and all that follow: it is being asked again. */
export function dropFrom(talk: Thread, turn: string): Thread {
  const place = talk.turns.findIndex((each) => each.id === turn);
  return place < 0 ? talk : { ...talk, turns: talk.turns.slice(0, place) };
}

function startTurn({ messageId, data }: Extract<WireEvent, { type: "message_started" }>): Turn {
  return {
    id: messageId,
    questionId: data.questionId,
    question: data.question,
    rewrittenQuestion: null,
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
    destination: null,
    media: [],
    outline: [],
    passages: [],
    sent: [],
    changes: null,
    calls: [],
    results: [],
    usage: null,
    fault: null,
    answer: null,
  };
}

function updateTurn(turn: Turn, event: WireEvent): Turn {
  switch (event.type) {
    case "question":
      return { ...turn, rewrittenQuestion: event.data.rewritten ? event.data.question : null };
    case "text":
      return { ...turn, text: turn.text + event.data.delta };
    case "citation":
      return addCitation(turn, event.data.index, event.data.sentence, event.data.citations);
    case "repaired":
      return replaceAnswer(turn, event.data);
    case "evidence":
      return { ...turn, evidence: appendNew(turn.evidence, [event.data]) };
    case "media":
      return { ...turn, media: appendNew(turn.media, event.data.items) };
    case "passage":
      return { ...turn, passages: appendPassage(turn.passages, event.data) };
    case "sent":
      return { ...turn, sent: [...turn.sent, event.data] };
    case "changes":
      return { ...turn, changes: event.data };
    case "client_call":
      return { ...turn, calls: [...turn.calls.filter(({ id }) => id !== event.data.id), event.data] };
    case "client_result":
      return { ...turn, results: [...turn.results, event.data] };
    case "outline":
      return { ...turn, outline: event.data.sections };
    case "subagent_data":
      return foldInnerEvent({ ...turn, steps: foldStep(turn.steps, event) }, unwrapEvent(event));
    case "navigate":
      return { ...turn, destination: getDestination(event.data) ?? turn.destination };
    case "highlight":
      return addHighlight(turn, event.data);
    case "usage":
      return { ...turn, usage: event.data };
    case "quota_warning":
      return turn;
    case "error":
      return { ...turn, fault: event.data };
    case "message_completed":
      return completeTurn(turn, event.data);
    case "thought":
      return { ...retractText(turn, event.data.retracted), steps: foldStep(turn.steps, event) };
    default:
      return { ...turn, steps: foldStep(turn.steps, event) };
  }
}

/** Fold the events of a subagent that concern the whole answer: its evidence and its pictures. */
function foldInnerEvent(turn: Turn, inner: WireEvent): Turn {
  return inner.type === "evidence" || inner.type === "media" ? updateTurn(turn, inner) : turn;
}

/** Return the page that a command leads to; null for one that names no document. */
function getDestination({ document, page }: Extract<WireEvent, { type: "navigate" }>["data"]): Destination | null {
  return document ? { document, page } : null;
}

/** Add a highlight. An important one is where the answer leads, and no longer a page that it named before. */
function addHighlight(turn: Turn, highlight: Highlight): Turn {
  const leads = highlight.importance === "high" && (highlight.document ?? highlight.evidence) !== null;
  const highlights = [...turn.highlights, highlight];
  return { ...turn, highlights, destination: leads ? null : turn.destination };
}

/** Append numbered items, each number once. */
function appendNew<T extends { n: number }>(known: T[], more: readonly T[]): T[] {
  const fresh = more.filter(({ n }) => !known.some((each) => each.n === n));
  return fresh.length ? [...known, ...fresh] : known;
}

/** Add a passage that is not known yet. The parts of one passage have the same number. */
function appendPassage(known: ShownPassage[], passage: ShownPassage): ShownPassage[] {
  const isKnown = known.some(
    ({ n, start, form }) => n === passage.n && start === passage.start && form === passage.form,
  );
  return isKnown ? known : [...known, passage];
}

/** Remove the last characters of a turn's text, counted in code points, with their sentences and citations. */
function retractText(turn: Turn, characters: number): Turn {
  if (!characters) return turn;
  const points = [...turn.text];
  const left = points.slice(0, Math.max(0, points.length - characters));
  const sentences = turn.sentences.filter((each) => each.end <= left.length);
  const cited = new Set(sentences.flatMap((each) => each.citations));
  const citations = turn.citations.filter((each) => cited.has(each.n));
  return { ...turn, text: left.join(""), sentences, citations };
}

function addCitation(turn: Turn, index: number, sentence: Sentence, citations: Citation[]): Turn {
  const known = new Map(turn.citations.map((each) => [each.n, each]));
  for (const each of citations) known.set(each.n, fillCitation(each));
  const sentences = [...turn.sentences];
  sentences[index] = fillSentence(sentence);
  return { ...turn, sentences, citations: [...known.values()].sort((a, b) => a.n - b.n) };
}

/** Replace a turn's text, sentences and citations by the corrected ones. */
function replaceAnswer(turn: Turn, { answer, sentences, citations, repairs }: Repaired): Turn {
  return {
    ...turn,
    text: answer,
    sentences: sentences.map(fillSentence),
    citations: citations.map(fillCitation),
    repairs,
  };
}

/** Fill in the fields that older stored sentences lack. */
function fillSentence(sentence: Sentence): Sentence {
  return { ...SENTENCE_DEFAULTS, ...sentence };
}

function fillCitation(citation: Citation): Citation {
  return { ...CITATION_DEFAULTS, ...citation };
}

function completeTurn(turn: Turn, answer: Answer): Turn {
  const state = turn.fault ? "failed" : answer.stopped ? "stopped" : "done";
  const { usage, model } = answer;
  // Sentences that were still being checked when an answer broke off stay unchecked.
  const sentences = answer.sentences.map((each) => ({ ...fillSentence(each), checking: false }));
  const citations = answer.citations.map(fillCitation);
  // Older answers lack pictures, reports, repairs, passages and changes.
  const {
    media = [],
    outline = [],
    subagents = [],
    repairs = [],
    passages = [],
    sent = [],
    changes = null,
    calls = [],
  } = answer as Partial<Answer>;
  // An answer that broke off has only what arrived in events. In a complete one, the answer itself is authoritative.
  const gathered = {
    media: media.length ? media : turn.media,
    outline: outline.length || !turn.fault ? outline : turn.outline,
    passages: passages.length || !turn.fault ? passages : turn.passages,
    sent: sent.length ? sent : turn.sent,
    changes: changes ?? turn.changes,
    calls: calls.length ? calls : turn.calls,
  };
  const steps = endSteps(turn.steps, subagents);
  const said = { text: answer.answer, sentences, citations, repairs };
  return { ...turn, ...gathered, ...said, state, answer, usage, model, steps };
}
