import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { WireEvent } from "../../../src/api/types";
import { Exchange } from "../../../src/conversation/thread/Exchange";
import { offerPlaceBeside } from "../../../src/viewer/openSource";
import { viewerStore } from "../../../src/viewer/viewerStore";
import { answerOf, numbered, type Part, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

type Said = Pick<WireEvent, "type" | "data">;
let exchange: Drawn | null = null;
const onAsk = vi.fn();

function show(events: WireEvent[], later = 0): HTMLElement {
  exchange = drawn(<Exchange turn={turnOf(events)} later={later} onAsk={onAsk} />);
  return exchange.page;
}

function buttons(page: HTMLElement): string[] {
  return [...page.querySelectorAll("button")].map((each) => each.getAttribute("aria-label") ?? each.textContent ?? "");
}

afterEach(() => {
  exchange?.leave();
  onAsk.mockReset();
  viewerStore.set((now) => ({ ...now, chosenKey: null, marks: [], isOpen: false, document: null }));
});

const PARTS: Part[] = [["", "It is high.", [1]]];
const BEGUN = told(PARTS).slice(0, 1);
const TOOL: Said = {
  type: "tool_call_started",
  data: { content: "", toolCallId: "t1", status: "running", name: "search_documents", attributes: { query: "dam" } },
};
const FAILED: Said = {
  type: "tool_call_error",
  data: { toolCallId: "t1", status: "error", error: "<b>no</b> ".repeat(200) },
};

test("while it is being done, each step is seen; once the answer begins they fold", () => {
  const running = show([...BEGUN, ...numbered([TOOL], "m1", 10)]);
  expect(running.querySelector(".step")?.textContent).toBe("Searching “dam”");
  expect(running.querySelector('[aria-label="running"]')).not.toBeNull();
  const written: Said = { type: "text", data: { delta: "It" } };
  exchange?.draw(
    <Exchange turn={turnOf([...BEGUN, ...numbered([TOOL, written], "m1", 10)])} later={0} onAsk={onAsk} />,
  );
  expect(running.querySelector(".step")).toBeNull();
  const fold = running.querySelector<HTMLButtonElement>(".fold-button");
  expect(fold?.textContent).toBe("1 step");
  act(() => fold?.click());
  expect(running.querySelector(".step")).not.toBeNull();
});

test("a step's error is words, cut, and never markup", () => {
  const page = show([...BEGUN, ...numbered([TOOL, FAILED], "m1", 10)]);
  const error = page.querySelector(".step-error");
  expect(error?.querySelector("b")).toBeNull();
  expect(error?.textContent?.length).toBeLessThan(310);
  expect(page.querySelector('[aria-label="failed"]')).not.toBeNull();
});

const PART: Said = {
  type: "subagent_started",
  data: { content: "", subagentId: "s1", name: "deep_research", task: "read it", status: "running" },
};

test("a part of the question says what it does while it runs, and how long it took when it is over", () => {
  const running: Said[] = [PART, { type: "subagent_data", data: { subagentId: "s1", event: { ...TOOL } } }];
  const page = show([...BEGUN, ...numbered(running, "m1", 10)]);
  expect(page.querySelector(".part-now")?.textContent).toBe("Searching “dam”");
  const words: Said = {
    type: "subagent_data",
    data: { subagentId: "s1", event: { type: "text", data: { delta: "It" } } },
  };
  const draw = (events: Said[]) =>
    exchange?.draw(<Exchange turn={turnOf([...BEGUN, ...numbered(events, "m1", 10)])} later={0} onAsk={onAsk} />);
  draw([...running, words]);
  expect(page.querySelector(".part-now")?.textContent).toBe("Writing…");
  draw([
    ...running,
    words,
    { type: "subagent_completed", data: { subagentId: "s1", status: "success", summary: "", seconds: 3.2 } },
  ]);
  expect(page.querySelector(".part-now")?.textContent).toBe("3.2 s");
});

test("a part's summary is read as Markdown, without the marks that only the model knows", () => {
  const summary = "It is **high** [3.2]. <b>See</b> `a[1]`. [3.1][4]";
  const done: Said = { type: "subagent_completed", data: { subagentId: "s1", status: "success", summary, seconds: 1 } };
  const page = show([...BEGUN, ...numbered([PART, done], "m1", 10)]);
  act(() => page.querySelector<HTMLButtonElement>(".part-head")?.click());
  const said = page.querySelector(".part .answer");
  expect(said?.textContent?.trim()).toBe("It is high. <b>See</b> a[1].");
  expect(said?.querySelector("strong")?.textContent).toBe("high");
  expect(said?.querySelector("b")).toBeNull();
});

test("a part that failed says why, and the others stand beside it", () => {
  const other: Said = {
    type: "subagent_started",
    data: { content: "", subagentId: "s2", name: "file_analyzer", task: "look in files", status: "running" },
  };
  const failed: Said = {
    type: "subagent_error",
    data: { subagentId: "s1", status: "error", error: "It took too long.", seconds: 90 },
  };
  const page = show([...BEGUN, ...numbered([PART, other, failed], "m1", 10)]);
  expect([...page.querySelectorAll(".parts strong")].map((each) => each.textContent)).toEqual([
    "Web research",
    "Your files",
  ]);
  act(() => page.querySelector<HTMLButtonElement>(".part-head")?.click());
  expect(page.querySelector(".part .step-error")?.textContent).toBe("It took too long.");
});

test("a subagent is its name, its task and its state; what it did is inside", () => {
  const events: Said[] = [
    {
      type: "subagent_started",
      data: { content: "", subagentId: "s1", name: "Reader", task: "read it", status: "running" },
    },
    { type: "subagent_data", data: { subagentId: "s1", event: { ...TOOL } } },
    { type: "subagent_completed", data: { subagentId: "s1", status: "success", summary: "It is high.", seconds: 3.2 } },
  ];
  const page = show([...BEGUN, ...numbered(events, "m1", 10)]);
  const card = page.querySelector<HTMLElement>(".part");
  expect(card?.textContent).toBe("Readerread it3.2 s");
  act(() => card?.querySelector("button")?.click());
  expect(card?.textContent).toContain("Searching “dam”");
  expect(card?.textContent).toContain("It is high.");
});

test("the question as it was understood is told where it is another than the one asked", () => {
  const understood: Said = { type: "question", data: { question: "How high is the dam?", rewritten: true } };
  expect(show([...BEGUN, ...numbered([understood], "m1", 10)]).querySelector(".understood")?.textContent).toBe(
    "Understood as: How high is the dam?",
  );
});

test("a click on a citation opens its source, and the chip is the chosen one", () => {
  const takeBack = offerPlaceBeside();
  const page = show(told(PARTS));
  act(() => page.querySelector<HTMLButtonElement>(".chip")?.click());
  takeBack();
  expect(viewerStore.get()).toMatchObject({ chosenKey: "m1:1", document: "d1", page: 3, isOpen: true });
  expect(page.querySelector(".chip")?.hasAttribute("data-chosen")).toBe(true);
});

test("a source under the answer opens where it is first cited", () => {
  const page = show(told(PARTS));
  const source = page.querySelector<HTMLButtonElement>(".source");
  expect(source?.textContent).toBe("1The damp. 3");
  act(() => source?.click());
  expect(viewerStore.get().chosenKey).toBe("m1:1");
});

test("a refusal shows what came nearest, and opens it", () => {
  const near = { document: "d5", title: "The lake", page: 2, start: 10, end: 20, text: "Water." };
  const answer = { ...answerOf([["", "I found nothing."]]), refused: true, nearest: [near] };
  const page = show([...BEGUN, ...numbered([{ type: "message_completed", data: answer }], "m1", 10)]);
  const line = page.querySelector<HTMLButtonElement>(".near");
  expect(line?.textContent).toBe("The lake page 2Water.");
  act(() => line?.click());
  expect(viewerStore.get()).toMatchObject({ document: "d5", page: 2, isOpen: true });
});

test("an answer that failed says why and can be asked again in its place", () => {
  const fault: Said = { type: "error", data: { code: "interrupted", message: "", hint: "" } };
  const end: Said = { type: "message_completed", data: answerOf([]) };
  const page = show([...BEGUN, ...numbered([fault, end], "m1", 10)]);
  expect(page.querySelector('[role="alert"]')?.textContent).toContain("The server stopped");
  const again = [...page.querySelectorAll("button")].find((each) => each.textContent === "Ask again");
  act(() => again?.click());
  expect(onAsk).toHaveBeenCalledExactlyOnceWith("What?", "m1");
});

test("an answer that was stopped says so", () => {
  const end: Said = { type: "message_completed", data: { ...answerOf(PARTS), stopped: true } };
  expect(show([...BEGUN, ...numbered([end], "m1", 10)]).querySelector(".stopped")?.textContent).toContain(
    "You stopped",
  );
});

test("only the last answer is asked again by one press; a question further up says what would go", () => {
  expect(buttons(show(told(PARTS)))).toContain("Ask again");
  exchange?.leave();
  const page = show(told(PARTS), 2);
  expect(buttons(page)).not.toContain("Ask again");
  act(() => page.querySelector<HTMLButtonElement>('[aria-label="Edit the question"]')?.click());
  expect(page.querySelector(".question-edit")?.textContent).toContain("drop the 2 exchanges after it");
});

test("nothing can be changed or rated while it is being written", () => {
  expect(buttons(show(told(PARTS).slice(0, -2)))).toEqual(["citation 1, verified: The dam, page 3"]);
});

const REPAIRS = [
  { before: "It is 10 m high. [1]", after: "It is 12 m high. [1]", support: "contradicted", source: "Height | 12 m" },
  { before: "It leaks. [2]", after: "", support: "unsupported", source: "" },
] as const;

test("what was corrected or withdrawn stays to be seen among the steps", () => {
  const end: Said = { type: "message_completed", data: { ...answerOf(PARTS), repairs: [...REPAIRS] } };
  const page = show([...BEGUN, ...numbered([end], "m1", 10)]);
  const fold = page.querySelector<HTMLButtonElement>(".fold-button");
  expect(fold?.textContent).toBe("1 sentence corrected · 1 sentence withdrawn");
  act(() => fold?.click());
  expect([...page.querySelectorAll(".repairs li")].map((each) => each.textContent)).toEqual([
    "Corrected: It is 10 m high. → It is 12 m high.The source says: Height · 12 m",
    "Withdrawn: It leaks.",
  ]);
});

test.each([
  ["length", "length limit"],
  ["connection", "connection"],
  ["repetition", "repeat"],
  ["filter", "provider"],
] as const)("an answer that was cut by %s says so under its words", (cut, words) => {
  const end: Said = { type: "message_completed", data: { ...answerOf(PARTS), cut } };
  expect(show([...BEGUN, ...numbered([end], "m1", 10)]).querySelector(".answer + .cut")?.textContent).toContain(words);
});

test("one line above an answer sums it up, and has its place before the first verdict", () => {
  const written: Said = { type: "text", data: { delta: "It" } };
  const page = show([...BEGUN, ...numbered([written], "m1", 10)]);
  expect(page.querySelector(".summary:has(+ .answer)")?.textContent).toBe("");
  exchange?.leave();
  const whole = show(told([...PARTS, [" ", "It flies.", [], "unsupported"]]));
  expect(whole.querySelector(".summary")?.textContent).toBe("1 of 2 sentences verified,1 not found");
});

const JUDGE = { model: "openai:gpt-5", sentences: 1, agreed: 74, passed: 2, total: 80 };

test.each([
  [JUDGE, "openai:gpt-5 (agreed with readers on 74 of 80, let 2 false sentences pass)"],
  [{ ...JUDGE, passed: 1 }, "openai:gpt-5 (agreed with readers on 74 of 80, let 1 false sentence pass)"],
  [{ ...JUDGE, agreed: null, passed: null, total: null }, "openai:gpt-5 (not measured yet)"],
  [null, "no model"],
])("how an answer was made says who judged it and how far that judge is known", (judge, words) => {
  const end: Said = { type: "message_completed", data: { ...answerOf(PARTS), judge } };
  const page = show([...BEGUN, ...numbered([end], "m1", 10)]);
  const row = [...page.querySelectorAll(".info dl div")].find((each) => each.textContent?.startsWith("Judged by"));
  expect(row?.querySelector("dd")?.textContent).toBe(words);
});

test.each([
  ["d7", 12, "", "Go to page 12"],
  ["d1", 12, "", "Go to page 12 of “The dam”"],
  ["d1", 3, "iii", "Go to page iii (3 in the file) of “The dam”"],
])("the button that leads to a page of %s names what the sources know of it", (document, number, label, words) => {
  const led: Said = { type: "navigate", data: { document, page: number } };
  const turn = turnOf([...told(PARTS), ...numbered([led], "m1", 50)]);
  const citations = turn.citations.map((each) => ({ ...each, label }));
  exchange = drawn(<Exchange turn={{ ...turn, citations }} later={0} onAsk={onAsk} />);
  const button = [...exchange.page.querySelectorAll("button")].find((each) => each.textContent?.includes("Go to"));
  expect(button?.textContent?.trim()).toBe(words);
});

test("an answer that leads to a page has a button that opens it again", () => {
  const led: Said = { type: "navigate", data: { document: "d7", page: 12 } };
  const page = show([...told(PARTS), ...numbered([led], "m1", 50)]);
  const button = [...page.querySelectorAll("button")].find((each) => each.textContent?.includes("Go to page 12"));
  act(() => button?.click());
  const { document, page: shown, isOpen } = viewerStore.get();
  expect({ document, shown, isOpen }).toEqual({ document: "d7", shown: 12, isOpen: true });
});
