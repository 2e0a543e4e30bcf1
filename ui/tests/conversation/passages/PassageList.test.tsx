import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer, ShownPassage, WireEvent } from "../../../src/api/types";
import {
  chooseExcerpt,
  chooseRows,
  joinLitWords,
  splitParagraphs,
  splitPieces,
  takeIntroduction,
} from "../../../src/conversation/passages/passageText";
import { Exchange } from "../../../src/conversation/thread/Exchange";
import { viewerStore } from "../../../src/viewer/viewerStore";
import { answerOf, type Part, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

let exchange: Drawn | null = null;

afterEach(() => {
  exchange?.leave();
  viewerStore.set((now) => ({ ...now, chosenKey: null, marks: [], isOpen: false, document: null }));
});

const PARTS: Part[] = [
  ["", "Found in your documents:", []],
  ["\n\n**The dam · page 3**\n\n", "It is 41 m high.", [1]],
  [" ", "It was built in 1931.", [1]],
];

function passage(more: Partial<ShownPassage> = {}): ShownPassage {
  return {
    ...{ n: 1, document: "d1", title: "The dam", name: "dam.pdf", page: 3, last_page: 3, label: "" },
    ...{ headings: ["Structure", "Height"], start: 100, end: 140, form: "text", lead: "" },
    ...{ text: "It is 41 m high. It was built in 1931.", lit: [[0, 16]] as [number, number][] },
    ...{ heads: [], rows: [], lit_rows: [], more: false, part_of: 0, part: "" },
    ...more,
  } as ShownPassage;
}

function show(passages: ShownPassage[], more: Partial<Answer> = {}, parts: Part[] = PARTS): HTMLElement {
  const said = told(parts).slice(0, -1);
  const data = { ...answerOf(parts), passages, ...more };
  const last = { seq: 99, type: "message_completed", messageId: "m1", data } as WireEvent;
  exchange = drawn(<Exchange turn={turnOf([...said, last])} later={0} onAsk={vi.fn()} />);
  return exchange.page;
}

test("a passage is shown whole, with its place, and the sentence that answers is lit", () => {
  const page = show([passage()]);
  expect(page.querySelector(".passage-title")?.textContent).toBe("The dam");
  expect(page.querySelector(".passage-place")?.textContent).toContain("page 3 · Structure › Height");
  expect(page.querySelector(".passage-text")?.textContent).toBe("It is 41 m high. It was built in 1931.");
  expect([...page.querySelectorAll("mark")].map((each) => each.textContent)).toEqual(["It is 41 m high."]);
  expect(page.textContent).toContain("Found in your documents");
  expect(page.textContent?.match(/It was built/g)).toHaveLength(1);
});

test("a passage without page and heading says where in the text it is", async () => {
  const nowhere = { page: null, last_page: null, headings: [] };
  const asked = vi.fn(async (request: Request) =>
    request.url.includes("/d3/")
      ? Response.json({ code: "not_found", message: "Gone.", hint: "" }, { status: 404 })
      : Response.json({ document: "d2", start: 0, end: 1, length: 10_000, blocks: [] }),
  );
  vi.stubGlobal("fetch", asked);
  const page = show([
    passage({ ...nowhere, start: 12 }),
    passage({ ...nowhere, n: 2, start: 4242, document: "d2", part_of: 2 }),
    passage({ ...nowhere, n: 3, start: 4245, document: "d2", part_of: 2 }),
    passage({ ...nowhere, n: 4, start: 9999, document: "d2" }),
    passage({ ...nowhere, n: 5, start: 4242, document: "d3" }),
    passage({ ...nowhere, n: 6, start: 4242, document: "source-1" }),
  ]);
  const list = () => [...page.querySelectorAll(".passage-open")].map((each) => each.textContent);
  expect(list()).toEqual(["at the beginning", ...Array(4).fill("Open the source")]);
  await act(() => vi.waitFor(() => expect(list()[1]).toBe("42% into the text")));
  // Parts of one passage name it once. A document that is gone, or hidden by a link, has no place.
  expect(list()).toEqual([
    "at the beginning",
    "42% into the text",
    "99% into the text",
    "Open the source",
    "Open the source",
  ]);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("a heading inside a passage is a heading, and stays with what stands under it", () => {
  const text = "Rules\n\nNo boats.\n\nWho decides\n\nAda is the chair.";
  const inner_headings: [number, number][] = [
    [0, 5],
    [18, 29],
  ];
  const page = show([passage({ text, inner_headings, lit: [[31, 48]] })]);
  expect([...page.querySelectorAll(".passage-text h4")].map((each) => each.textContent)).toEqual([
    "Rules",
    "Who decides",
  ]);
  expect(page.querySelector("mark")?.textContent).toBe("Ada is the chair.");
  const long = { text: `${"x".repeat(700)}\n\nHead\n\n${"y".repeat(500)}\n\nNext\n\n${"z".repeat(700)}` };
  const paragraphs = splitParagraphs({
    ...long,
    lit: [[708, 1208]],
    inner_headings: [
      [702, 706],
      [1210, 1214],
    ],
  });
  expect(chooseExcerpt(paragraphs)).toEqual({ from: 1, to: 3 });
});

test("a passage opens its source", () => {
  const page = show([passage()]);
  act(() => page.querySelector<HTMLButtonElement>(".passage-open")?.click());
  expect(viewerStore.get().chosenKey).toBe("m1:1");
});

test("passages of one document that follow one another are one card", () => {
  const page = show([passage(), passage({ n: 2, text: "It leaks.", lit: [] }), passage({ n: 3, document: "d2" })]);
  expect([...page.querySelectorAll(".passage-card")].map((each) => each.querySelectorAll(".passage").length)).toEqual([
    2, 1,
  ]);
});

test("two documents with one title are told apart by their file names", () => {
  const page = show([passage(), passage({ n: 2, document: "d2", name: "dam-2.pdf" })]);
  expect([...page.querySelectorAll(".passage-title")].map((each) => each.textContent)).toEqual([
    "The dam dam.pdf",
    "The dam dam-2.pdf",
  ]);
});

test("a table is a table with its heads, and the row that answers is lit", () => {
  const heads = [["", "2022", "2023"]];
  const rows = [
    ["Revenue", "10", "12"],
    ["Costs", "8", "9"],
  ];
  const page = show([passage({ form: "table", heads, rows, lit_rows: [1], lead: "In millions" })]);
  expect([...page.querySelectorAll("thead th")].map((each) => each.textContent)).toEqual(["", "2022", "2023"]);
  expect(page.querySelector("tr[data-lit]")?.textContent).toBe("Costs89");
  expect(page.querySelector(".passage-lead")?.textContent).toBe("In millions");
  expect(page.querySelector(".passage-text")).toBeNull();
});

test("a long table shows the rows around the one that answers, and all of them on demand", () => {
  const rows = Array.from({ length: 30 }, (_, at) => [`Year ${at}`, `${at}`]);
  const page = show([passage({ form: "table", rows, lit_rows: [20] })]);
  const labels = () => [...page.querySelectorAll("tbody th")].map((each) => each.textContent);
  expect(labels()).toEqual([17, 18, 19, 20, 21, 22, 23, 24].map((at) => `Year ${at}`));
  expect(page.querySelector("tr[data-lit]")?.textContent).toBe("Year 2020");
  act(() => page.querySelector<HTMLButtonElement>(".passage-whole")?.click());
  expect(labels()).toHaveLength(30);
  expect(page.querySelector("tr[data-lit]")?.textContent).toBe("Year 2020");
});

test.each([
  [10, [], 0, 10],
  [11, [], 0, 8],
  [11, [10], 3, 11],
  [40, [2, 30], 2, 31],
])("of %i rows with %j highlighted, rows %i to %i are shown", (length, lit_rows, from, to) => {
  expect(chooseRows({ rows: Array.from({ length }, () => [""]), lit_rows })).toEqual({ from, to });
});

test("words that answer inside code are highlighted", () => {
  const page = show([passage({ form: "code", text: "make tea\nmake milk", lit: [[9, 18]] })]);
  expect(page.querySelector("pre mark")?.textContent).toBe("make milk");
  expect(page.querySelector("pre")?.textContent).toBe("make tea\nmake milk");
});

test("of a question in parts each part is a heading, and a part that nothing answers is said", () => {
  const parts: Part[] = [
    ["", "**Garrow Bridge**", []],
    ["\n\n**The dam · page 3**\n\n", "It is 41 m high.", [1]],
    ["\n\n", "**Severn Crossing**", []],
    ["\n\n", "No document mentions Severn Crossing.", []],
  ];
  const made = answerOf(parts);
  const sentences = made.sentences.map((each) => ({ ...each, silent: each.text.startsWith("No document") }));
  const passages = [passage({ part: "Garrow Bridge" }), passage({ n: 2, document: "d2", part: "Garrow Bridge" })];
  const page = show(passages, { sentences }, parts);
  expect([...page.querySelectorAll(".passages-part")].map((each) => each.textContent)).toEqual([
    "Garrow Bridge",
    "Severn Crossing",
  ]);
  expect(page.textContent).toContain("No document mentions Severn Crossing.");
});

test("a code in a table is not broken at its hyphens, and a text may be", () => {
  const rows = [["V03", "LK-188-C", "diesel lorry", "diesel", ""]];
  const page = show([passage({ form: "table", rows })]);
  expect([...page.querySelectorAll("td")].map((each) => each.hasAttribute("data-hyphenated"))).toEqual([
    ...[true, false, false, false],
  ]);
});

test("the parts of a passage stand together, and name their place once", () => {
  const rows = [["Height", "41 m"]];
  const page = show([passage({ part_of: 4 }), passage({ n: 2, part_of: 4, form: "table", rows, lit: [] })]);
  const [first, second] = page.querySelectorAll(".passage");
  expect(first?.querySelector(".passage-open")).not.toBeNull();
  expect(first?.hasAttribute("data-goes-on")).toBe(false);
  expect(second?.querySelector(".passage-open")).toBeNull();
  expect(second?.hasAttribute("data-goes-on")).toBe(true);
});

test("the parts of one passage have one number", () => {
  const rows = [["Height", "41 m"]];
  const parts = [passage({ part_of: 4 }), passage({ start: 900, part_of: 4, form: "table", rows, lit: [] })];
  const page = show(parts);
  const [first, second] = page.querySelectorAll(".passage");
  expect(first?.querySelector(".passage-place")?.textContent).toContain("1");
  expect(first?.querySelectorAll(".passage-place button").length).toBeGreaterThan(1);
  expect(second?.querySelectorAll(".passage-place button")).toHaveLength(0);
  expect(second?.textContent).toContain("41 m");
  const streamed = parts.map((data, at) => ({ seq: 50 + at, type: "passage", messageId: "m1", data }) as WireEvent);
  expect(turnOf([...told(PARTS).slice(0, -1), ...streamed]).passages).toHaveLength(2);
});

test("of a long passage the part that answers is shown first, and the others in the order of the text on demand", () => {
  const opening = passage({ start: 0, lit: [], headings: ["1. Term"], text: "It began in May. ".repeat(60) });
  const table = passage({ start: 1200, headings: ["2. Fees"], form: "table", lit: [], rows: [["Storage", "4.80"]] });
  const fees = { lit_rows: [0], text: "" };
  const page = show([opening, { ...table, ...fees }, passage({ start: 1300, lit: [], headings: ["3. Liability"] })]);
  const places = () => [...page.querySelectorAll(".passage-open")].map((each) => each.textContent);
  expect(page.textContent).not.toContain("It began in May.");
  expect(places()).toEqual(["page 3 · 2. Fees"]);
  const whole = [...page.querySelectorAll("button")].find((each) => each.textContent === "Show the whole passage");
  act(() => whole?.click());
  expect(page.textContent?.indexOf("It began in May.")).toBeLessThan(page.textContent?.indexOf("Storage") ?? 0);
  expect(page.textContent).toContain("It is 41 m high.");
});

test("a part does not repeat the heading that the part before it ends under", () => {
  const text = "The fee is due.\n\n3. Liability\n\nIt is limited.";
  const inner = { inner_headings: [[17, 29]] as [number, number][] };
  const first = passage({ part_of: 4, headings: ["2. Fees"], text, lit: [], ...inner });
  const rows = [["Cap", "750,000"]];
  const headings = ["3. Liability"];
  const page = show([first, passage({ part_of: 4, start: 150, headings, form: "table", text: "", lit: [], rows })]);
  expect([...page.querySelectorAll(".passage-open")].map((each) => each.textContent)).toEqual(["page 3 · 2. Fees"]);
});

test("a part under another heading names its own place, and parts on demand count as one passage", () => {
  const other = { n: 2, part_of: 4, headings: ["Leaks"] };
  const rest = [7, 7, 8].map((part_of, at) => passage({ n: part_of, part_of, start: 50 + at, more: true }));
  const page = show([passage({ part_of: 4 }), passage(other), ...rest]);
  expect(page.querySelectorAll(".passage-open")[1]?.textContent).toContain("Leaks");
  expect(page.querySelector(".passages-more")?.textContent).toBe("Show 2 more passages");
});

test("further passages are shown on demand", () => {
  const page = show([passage(), passage({ n: 2, document: "d2", text: "It leaks.", lit: [], more: true })]);
  expect(page.textContent).not.toContain("It leaks.");
  const more = [...page.querySelectorAll("button")].find((each) => each.textContent === "Show 1 more passage");
  act(() => more?.click());
  expect(page.textContent).toContain("It leaks.");
});

test("a word that was read as another is told", () => {
  const page = show([passage()], { corrected: [{ written: "damm", read: "dam" }] });
  expect(page.textContent).toContain("“damm” was read as “dam”.");
});

test("what no document mentions is said before the nearest passages", () => {
  const parts: Part[] = [["", "No document mentions Kubernetes.", [], null, { silent: true }], ...PARTS.slice(1)];
  const page = show([passage()], { refused: true, missing: ["Kubernetes"] }, parts);
  const [said, card] = [page.querySelector(".passages .answer"), page.querySelector(".passage-card")];
  expect(said?.textContent).toBe("No document mentions Kubernetes.");
  expect(said && card && said.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("a printed page number stands before the page's place in the file", () => {
  const page = show([passage({ label: "iv", page: 6, last_page: 6 })]);
  expect(page.querySelector(".passage-place")?.textContent).toContain("page iv (6 in the file)");
});

test("a passage of a slide says which slide, and one over a page break both pages", () => {
  const page = show([passage({ label: "slide 2", page: 2, last_page: 2 }), passage({ n: 2, page: 3, last_page: 4 })]);
  const places = [...page.querySelectorAll(".passage-open")].map((each) => each.textContent);
  expect(places).toEqual(["slide 2 · Structure › Height", "pages 3–4 · Structure › Height"]);
});

test("lit stretches are counted in characters, not in units", () => {
  const pieces = splitPieces({ text: "𝄞 high. Low.", lit: [[2, 7]] });
  expect(pieces.map(({ text, isLit }) => [text, isLit])).toEqual([
    ["𝄞 ", false],
    ["high.", true],
    [" Low.", false],
  ]);
});

test("an introduction ends where the first passage begins, also while it is being written", () => {
  const turn = turnOf(told(PARTS));
  expect(takeIntroduction(turn).text).toBe("Found in your documents:");
  expect(takeIntroduction({ ...turn, text: "Found in" }).text).toBe("Found in");
});

test("items of a list stand below each other without the signs before them", () => {
  const text = "Call at once for:\n\n- fever;\n- an open wound.";
  const page = show([passage({ form: "list", text, lit: [[19, 27]] })]);
  const lines = [...page.querySelectorAll(".passage-text > p")];
  expect(lines.map((each) => each.textContent)).toEqual(["Call at once for:", "fever;", "an open wound."]);
  expect(lines.map((each) => each.hasAttribute("data-item"))).toEqual([false, true, true]);
  expect(page.querySelector("mark")?.textContent).toBe("fever;");
});

test("of a long passage the part that answers is shown first, the rest on demand", () => {
  const long = (word: string) => Array.from({ length: 60 }, () => word).join(" ");
  const text = [long("first"), long("second"), "Here it is.", long("third"), long("fourth")].join("\n\n");
  const start = text.indexOf("Here");
  const page = show([passage({ text, lit: [[start, start + 11]] })]);
  expect(page.querySelector(".passage-text")?.textContent).toContain("Here it is.");
  expect(page.querySelector(".passage-text")?.textContent).not.toContain("fourth");
  const whole = [...page.querySelectorAll("button")].find((each) => each.textContent === "Show the whole passage");
  act(() => whole?.click());
  expect(page.querySelector(".passage-text")?.textContent).toContain("fourth");
  expect(page.querySelectorAll(".passage-text > p")).toHaveLength(5);
});

test("an excerpt holds everything that is lit, and a short passage is its own", () => {
  const many = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} of the passage that is long enough.`);
  const text = many.join("\n");
  const at = (n: number) => text.indexOf(`Sentence number ${n} `);
  const lit: [number, number][] = [
    [at(10), at(10) + 8],
    [at(30), at(30) + 8],
  ];
  const found = chooseExcerpt(splitParagraphs({ text, lit }));
  expect(found.from).toBeLessThanOrEqual(10);
  expect(found.to).toBeGreaterThan(30);
  expect(chooseExcerpt(splitParagraphs({ text: "Short.\nToo.", lit: [] }))).toEqual({ from: 0, to: 2 });
});

test("a passage that is pressed opens its source, also one that is shown on demand", () => {
  const parts: Part[] = [...PARTS, [" ", "It leaks.", [2]]];
  const page = show([passage(), passage({ n: 2, document: "d2", text: "It leaks.", lit: [], more: true })], {}, parts);
  act(() => page.querySelector<HTMLElement>(".passage-text")?.click());
  expect(viewerStore.get().chosenKey).toBe("m1:1");
  act(() => page.querySelector<HTMLButtonElement>(".passages-more")?.click());
  act(() => [...page.querySelectorAll<HTMLElement>(".passage-text")].at(-1)?.click());
  expect(viewerStore.get().chosenKey).toBe("m1:2");
});

test("where nothing answers the nearest passages are offered", () => {
  const parts: Part[] = [["", "No document mentions Apple.", [], null, { silent: true }]];
  const page = show([passage({ more: true }), passage({ n: 2, more: true })], { refused: true }, parts);
  expect(page.querySelector(".passages-more")?.textContent).toBe("Show the 2 nearest passages");
  expect(page.querySelector(".passage")).toBeNull();
});

test("the words that answer are told as one line", () => {
  expect(joinLitWords(passage())).toBe("It is 41 m high.");
  const rows = [["Revenue", "10", ""]];
  expect(joinLitWords(passage({ form: "table", rows, lit_rows: [0] }))).toBe("Revenue · 10");
});
