/** Answers made up for the tests, as the server would tell them. */
import fc from "fast-check";
import type { Answer, Citation, Evidence, Sentence, Support, WireEvent } from "../../src/api/types";
import { writeMarkers } from "../../src/conversation/markdown/stripMarkers";
import { EMPTY_THREAD, foldEvent, type Turn } from "../../src/conversation/turns";

/** What stands before a sentence, the sentence, its citations, whether they hold, and what else is known of it. */
export type Part = [
  lead: string,
  text: string,
  citations?: number[],
  support?: Support | null,
  more?: Partial<Sentence>,
];

export const evidence: Evidence = {
  n: 7,
  document: "d1",
  title: "The dam",
  kind: "pdf",
  url: null,
  page: 3,
  start: 100,
  end: 400,
  text: "The dam was built in 1931.",
  headings: [],
  score: 0.5,
  lines: null,
  path: "",
};

/** A citation under this number. */
export function citation(n: number): Citation {
  const { document, title, kind, url, page } = evidence;
  return {
    n,
    evidence: 7,
    document,
    title,
    kind,
    url,
    page,
    quote: `quote ${n}`,
    start: 120,
    end: 140,
    score: 0.9,
    boxes: [],
    heads: [],
    rows: [],
    lit: [],
    name: "dam.pdf",
    label: "",
    lines: null,
    path: "",
    heading: "",
  };
}

/** A sentence of which no more is known than this. */
export function sentence(
  text: string,
  citations: number[],
  support: Support | null,
  start: number,
  more: Partial<Sentence> = {},
): Sentence {
  return {
    ...{ text, citations, support, start, end: start + [...text].length, basis: null, reasons: [], checking: false },
    ...{ unsupported: [], source: "", computed: "", judge: "", suggested: [], silent: false, ...more },
  };
}

/** The answer that these parts make. */
export function answerOf(parts: readonly Part[]): Answer {
  let text = "";
  const sentences: Sentence[] = [];
  for (const [lead, said, citations = [], support = citations.length ? "verified" : null, more] of parts) {
    text += lead;
    const made = sentence(said, citations, support, [...text].length, more);
    sentences.push(made);
    text += said + writeMarkers(made);
  }
  const numbers = [...new Set(parts.flatMap(([, , citations = []]) => citations))].sort((a, b) => a - b);
  return {
    answer: text,
    refused: false,
    no_documents: false,
    question: "What?",
    model: "extractive",
    sentences,
    citations: numbers.map(citation),
    usage: { input_tokens: 1, output_tokens: 2, requests: 1, tool_calls: 1, models: [], web_requests: 0 },
    used_location: false,
    used_personalization: false,
    nearest: [],
    invented: 0,
    stopped: false,
    media: [],
    subagents: [],
    outline: [],
    judge: null,
    repairs: [],
    cut: null,
    passages: [],
    missing: [],
    corrected: [],
    unread: [],
    sent: [],
    changes: null,
    calls: [],
    progress: null,
  };
}

/** Events of one message, numbered from `first`. */
export function numbered(events: Pick<WireEvent, "type" | "data">[], messageId = "m1", first = 1): WireEvent[] {
  return events.map((event, place) => ({ ...event, seq: first + place, messageId }) as WireEvent);
}

const STARTED = {
  type: "message_started",
  data: { conversationId: "c1", questionId: "q1", question: "What?", model: "extractive", focus: "all" },
} as const;

/** Everything that is told of an answer, its words in pieces of `size` characters. */
export function told(parts: readonly Part[], size = 5): WireEvent[] {
  const answer = answerOf(parts);
  const events: Pick<WireEvent, "type" | "data">[] = [STARTED, { type: "evidence", data: evidence }];
  for (const [index, sentence] of answer.sentences.entries()) {
    const words = [...(parts[index]?.[0] ?? ""), ...sentence.text];
    for (let at = 0; at < words.length; at += size) {
      events.push({ type: "text", data: { delta: words.slice(at, at + size).join("") } });
    }
    const citations = answer.citations.filter(({ n }) => sentence.citations.includes(n));
    events.push({ type: "citation", data: { index, sentence, citations } });
    if (sentence.citations.length) events.push({ type: "text", data: { delta: writeMarkers(sentence) } });
  }
  events.push({ type: "usage", data: answer.usage }, { type: "message_completed", data: answer });
  return numbered(events);
}

/** The same in brief: what is told of an answer that is over. */
export function inBrief(parts: readonly Part[]): WireEvent[] {
  return told(parts).filter(({ type }) => type !== "text" && type !== "citation" && type !== "usage");
}

/** The turn that events make; the first of them begins it. */
export function turnOf(events: readonly WireEvent[]): Turn {
  const turn = events.reduce(foldEvent, EMPTY_THREAD).turns[0];
  if (!turn) throw new Error("No turn was begun.");
  return turn;
}

const WORD = fc.constantFrom(
  "a",
  "lake",
  "𝒳y",
  "été",
  "[2]",
  "**b c**",
  "🙂",
  "`x [1]`",
  "[l](http://e.org)",
  "&amp;",
  "\\*",
  "_i_",
  "<b>",
  "|",
);
const LEAD = fc.constantFrom(
  " ",
  "\n\n",
  "\n- ",
  "\n\n# ",
  "\n\n> ",
  "\n\n```\ncode\n```\n\n",
  "\n\n[1]: http://e.org\n\n",
);

/** Answers with all sorts of Markdown in them. */
export const someParts: fc.Arbitrary<Part[]> = fc
  .array(
    fc.record({
      lead: LEAD,
      words: fc.array(WORD, { minLength: 1, maxLength: 6 }),
      citations: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
      support: fc.constantFrom<Support | null>("verified", "partial", "contradicted", "unsupported", "unchecked", null),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((made) =>
    made.map(({ lead, words, citations, support }, place): Part => {
      const cited = support ? citations : [];
      return [place ? lead : "", `${words.join(" ")}.`, cited, support];
    }),
  );
