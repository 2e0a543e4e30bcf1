import fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser, parseWireEvents } from "../../src/api/serverSentEvents";
import type { ClientResult, Medium, WireEvent } from "../../src/api/types";
import { dropFrom, EMPTY_THREAD, foldEvent, type Thread } from "../../src/conversation/turns";
import { answerOf, citation, inBrief, numbered, sentence, someParts, told, turnOf } from "./fixtures";

const TOOLS: Pick<WireEvent, "type" | "data">[] = [
  {
    type: "tool_call_started",
    data: { content: "", toolCallId: "t1", status: "running", name: "search_documents", attributes: { query: "dam" } },
  },
  {
    type: "tool_call_started",
    data: { content: "", toolCallId: "t2", status: "running", name: "read_document", attributes: {} },
  },
  { type: "tool_call_success", data: { toolCallId: "t1", status: "success", extra: { found: "8" } } },
  { type: "tool_call_error", data: { toolCallId: "t2", status: "error", error: "no such page" } },
];

/** Events as they cross the wire. */
function onTheWire(events: WireEvent[]): string {
  return events
    .map((each) => `id: ${each.seq}\nevent: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`)
    .join(": ping\n\n");
}

function heard(pieces: string[]): Thread {
  const cutter = new EventParser();
  let talk = EMPTY_THREAD;
  for (const piece of pieces) talk = parseWireEvents(cutter.push(piece)).reduce(foldEvent, talk);
  return talk;
}

test("any cut of the stream into pieces gives the same conversation", () => {
  fc.assert(
    fc.property(someParts, fc.array(fc.nat(), { maxLength: 30 }), (parts, cuts) => {
      const whole = onTheWire(told(parts, 3));
      const places = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((to, place) => whole.slice(places[place], to));
      expect(heard(pieces)).toEqual(heard([whole]));
    }),
  );
});

test("events that are told twice, as after a lost line, change nothing", () => {
  fc.assert(
    fc.property(someParts, fc.nat(), (parts, from) => {
      const events = told(parts);
      const again = events.slice(from % events.length);
      expect([...events, ...again].reduce(foldEvent, EMPTY_THREAD)).toEqual(events.reduce(foldEvent, EMPTY_THREAD));
    }),
  );
});

test("the end of an answer says all that its pieces said", () => {
  fc.assert(
    fc.property(someParts, (parts) => {
      const { text, sentences, citations, usage, evidence, state } = turnOf(told(parts));
      const brief = turnOf(inBrief(parts));
      expect(brief).toMatchObject({ text, sentences, citations, usage, evidence, state });
    }),
  );
});

test("before its end an answer says what it will have said at its end", () => {
  fc.assert(
    fc.property(someParts, (parts) => {
      const almost = turnOf(told(parts).slice(0, -1));
      const { answer, sentences, citations } = answerOf(parts);
      expect(almost).toMatchObject({ text: answer, sentences, citations, state: "running" });
    }),
  );
});

test("words that turn out to be a thought go, with their sentences and citations", () => {
  const spoken = told([["", "Let me look 🙂.", [1]]]).slice(0, -2);
  const said = [...turnOf(spoken).text].length;
  const thought = { type: "thought", data: { text: "Let me look 🙂.", retracted: said } } as const;
  const turn = turnOf([...spoken, ...numbered([thought], "m1", 100)]);
  expect(turn).toMatchObject({ text: "", sentences: [], citations: [] });
  expect(turn.steps).toMatchObject([{ kind: "thought", text: "Let me look 🙂." }]);
});

test("tool calls are found again by their id, with what they found or why they failed", () => {
  const begun = told([["", "One."]]).slice(0, 1);
  const { steps } = turnOf([...begun, ...numbered(TOOLS, "m1", 10)]);
  expect(steps).toMatchObject([
    { id: "t1", status: "success", attributes: { query: "dam", found: "8" } },
    { id: "t2", status: "error", error: "no such page" },
  ]);
});

test("a subagent's own steps are in it, and what never ended is no longer running when the answer is over", () => {
  const inner = (type: string, data: object) => ({
    type: "subagent_data" as const,
    data: { subagentId: "s1", event: { type, data } },
  });
  const events = numbered(
    [
      {
        type: "subagent_started",
        data: { content: "", subagentId: "s1", name: "Reader", task: "read", status: "running" },
      },
      inner("tool_call_started", { toolCallId: "t9", name: "read_document", attributes: {}, status: "running" }),
      inner("tool_call_success", { toolCallId: "t9", status: "success", extra: {} }),
      inner("tool_call_started", { toolCallId: "t10", name: "read_document", attributes: {}, status: "running" }),
    ],
    "m1",
    10,
  );
  const begun = told([["", "One."]]);
  const running = turnOf([...begun.slice(0, 1), ...events]);
  expect(running.steps).toMatchObject([{ status: "running", steps: [{ status: "success" }, { status: "running" }] }]);
  const end = numbered([{ type: "message_completed", data: answerOf([["", "One."]]) }], "m1", 50);
  const over = turnOf([...begun.slice(0, 1), ...events, ...end]);
  expect(over.steps).toMatchObject([{ status: "error", steps: [{ status: "success" }, { status: "error" }] }]);
});

test("thoughts that come in pieces are one thought until something else is done", () => {
  const think = (text: string) => ({ type: "thought", data: { text, retracted: 0 } }) as const;
  const begun = told([["", "One."]]).slice(0, 1);
  const events = numbered([think("I "), think("think."), ...TOOLS.slice(0, 1), think("Again.")], "m1", 10);
  expect(turnOf([...begun, ...events]).steps).toMatchObject([{ text: "I think." }, { id: "t1" }, { text: "Again." }]);
});

test("an answer that failed keeps what it said and why; one that was stopped says so", () => {
  const events = told([["", "One.", [1]]]);
  const fault = { type: "error", data: { code: "model", message: "gone", hint: "" } } as const;
  const end = { type: "message_completed", data: { ...answerOf([["", "One.", [1]]]), stopped: true } } as const;
  const failed = turnOf([...events.slice(0, -1), ...numbered([fault, end], "m1", 50)]);
  expect(failed).toMatchObject({ state: "failed", text: "One. [1]", fault: { code: "model" } });
  expect(turnOf([...events.slice(0, -1), ...numbered([end], "m1", 50)]).state).toBe("stopped");
});

test("asking again takes an exchange away, and all after it", () => {
  const first = told([["", "One."]]);
  const second = told([["", "Two."]]).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  const talk = [...first, ...second].reduce(foldEvent, EMPTY_THREAD);
  expect(dropFrom(talk, "m1").turns).toEqual([]);
  expect(dropFrom(talk, "m2").turns).toHaveLength(1);
  expect(dropFrom(talk, "unknown")).toBe(talk);
});

type Said = Pick<WireEvent, "type" | "data">;
const PICTURE: Medium = {
  ...{ n: 1, kind: "image", url: "https://example.org/dam", title: "The dam", length: null, source: "" },
  ...{ image: "https://example.org/dam.png", thumbnail: null },
};

test("pictures and the outline of a report are kept as they come, each once, and by the answer itself", () => {
  const begun = told([["", "One."]]).slice(0, 1);
  const media: Said = { type: "media", data: { items: [PICTURE] } };
  const outline: Said = { type: "outline", data: { sections: [{ heading: "In short", question: "What?" }] } };
  const running = turnOf([...begun, ...numbered([media, outline, media], "m1", 10)]);
  expect(running.media).toEqual([PICTURE]);
  expect(running.outline).toHaveLength(1);
  const answer = { ...answerOf([["", "One."]]), media: [PICTURE, { ...PICTURE, n: 2 }], outline: running.outline };
  const end: Said = { type: "message_completed", data: answer };
  expect(turnOf([...begun, ...numbered([media, outline, end], "m1", 10)])).toMatchObject({
    media: [{ n: 1 }, { n: 2 }],
    outline: [{ heading: "In short" }],
  });
});

test("a report that came to nothing has no outline; one that broke off keeps what was told of it", () => {
  const begun = told([["", "One."]]).slice(0, 1);
  const outline: Said = { type: "outline", data: { sections: [{ heading: "In short", question: "What?" }] } };
  const fault: Said = { type: "error", data: { code: "interrupted", message: "", hint: "" } };
  const end: Said = { type: "message_completed", data: answerOf([["", "Nothing."]]) };
  expect(turnOf([...begun, ...numbered([outline, end], "m1", 10)]).outline).toEqual([]);
  expect(turnOf([...begun, ...numbered([outline, fault, end], "m1", 10)]).outline).toHaveLength(1);
});

test("an answer from before there were pictures and reports is shown as it was", () => {
  const { media, outline, subagents, ...old } = answerOf([["", "One."]]);
  expect([media, outline, subagents]).toEqual([[], [], []]);
  const end = { type: "message_completed", data: old } as unknown as WireEvent;
  expect(turnOf([...told([["", "One."]]).slice(0, 1), ...numbered([end], "m1", 10)])).toMatchObject({
    state: "done",
    media: [],
    outline: [],
  });
});

test("what a part of the question found is known at the end, with its time", () => {
  const started = {
    type: "subagent_started",
    data: { content: "", subagentId: "s1", name: "deep_research", task: "look", status: "running" },
  } as const;
  const ran = { id: "s1", name: "deep_research", task: "look", status: "success", seconds: 2, found: 5 } as const;
  const end: Said = { type: "message_completed", data: { ...answerOf([["", "One."]]), subagents: [ran] } };
  const turn = turnOf([...told([["", "One."]]).slice(0, 1), ...numbered([started, end], "m1", 10)]);
  expect(turn.steps[0]).toMatchObject({ found: 5, seconds: 2 });
});

test("a verdict that settles takes the place of the one awaited, and the words stay as they are", () => {
  const awaited = told([
    ["", "One 🙂.", [1], "unchecked", { checking: true }],
    [" ", "Two.", [2]],
  ]).slice(0, -2);
  const before = turnOf(awaited);
  const settled = sentence("One 🙂.", [1], "contradicted", 0, { source: "None.", unsupported: ["One"] });
  const event: Said = { type: "citation", data: { index: 0, sentence: settled, citations: [citation(1)] } };
  const after = turnOf([...awaited, ...numbered([event], "m1", 100)]);
  expect(after.text).toBe(before.text);
  expect(after.sentences).toEqual([settled, before.sentences[1]]);
  expect(after.citations).toEqual(before.citations);
});

test("nothing is being checked any more when an answer is over", () => {
  const turn = turnOf(told([["", "One.", [1], "unchecked", { checking: true }]]));
  expect(turn.sentences).toMatchObject([{ support: "unchecked", checking: false }]);
});

test("a repaired answer takes the place of the one before, and keeps what was changed", () => {
  const spoken = told([["", "It is 10 m high.", [1]]]).slice(0, -2);
  const { answer, sentences, citations } = answerOf([["", "It is 12 m high.", [1]]]);
  const repairs = [
    { before: "It is 10 m high.", after: "It is 12 m high.", support: "contradicted", source: "12 m" },
  ] as const;
  const event: Said = { type: "repaired", data: { answer, sentences, citations, repairs: [...repairs] } };
  const turn = turnOf([...spoken, ...numbered([event], "m1", 100)]);
  expect(turn).toMatchObject({ text: "It is 12 m high. [1]", sentences, repairs, state: "running" });
  const end: Said = {
    type: "message_completed",
    data: { ...answerOf([["", "It is 12 m high.", [1]]]), repairs: [...repairs] },
  };
  expect(turnOf([...spoken.slice(0, 1), ...numbered([end], "m1", 100)]).repairs).toEqual(repairs);
});

test("sentences and citations from before the judge are shown as they were", () => {
  const whole = answerOf([["", "One.", [1]]]);
  const old = {
    ...whole,
    sentences: [{ text: "One.", citations: [1], support: "verified", reasons: [], start: 0, end: 4 }],
    citations: whole.citations.map(({ heads: _heads, rows: _rows, ...each }) => each),
  };
  const end = { type: "message_completed", data: old } as unknown as Said;
  const turn = turnOf([...told([["", "One."]]).slice(0, 1), ...numbered([end], "m1", 10)]);
  expect(turn).toMatchObject({ sentences: whole.sentences, citations: whole.citations });
});

test("proposed changes come with the answer, and what was done about them follows it", () => {
  const changes = { id: "p1", project: "abc", files: [], refused: [], reply: "" };
  const call = { id: "a1", tool: "apply_changes", arguments: {} } as const;
  const result: ClientResult = {
    call: "a1",
    tool: "apply_changes",
    status: "applied",
    message: "",
    files: ["x"],
    images: [],
  };
  const [started, ...rest] = told([["", "Done."]]);
  if (!started) throw new Error("There is a first event.");
  const during = numbered([started, { type: "changes", data: changes }, { type: "client_call", data: call }]);
  expect(turnOf(during)).toMatchObject({ changes, calls: [call], results: [] });
  const answer = { ...answerOf([["", "Done."]]), changes, calls: [call] };
  const after = numbered(
    [
      { type: "message_completed", data: answer },
      { type: "client_result", data: result },
    ],
    "m1",
    90,
  );
  expect(turnOf([started, ...rest.slice(0, -1), ...after])).toMatchObject({
    changes,
    calls: [call],
    results: [result],
  });
});
