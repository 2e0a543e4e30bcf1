import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Citation, Sentence, WireEvent } from "../../../src/api/types";
import { CitationCard } from "../../../src/conversation/citations/CitationCard";
import { cardStore } from "../../../src/conversation/citations/cardStore";
import { AnswerText } from "../../../src/conversation/thread/AnswerText";
import { viewerStore } from "../../../src/viewer/viewerStore";
import { citation, numbered, type Part, sentence, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

type Said = Pick<WireEvent, "type" | "data">;
let page: Drawn | null = null;
afterEach(() => {
  act(() => cardStore.set(null));
  page?.leave();
  viewerStore.set((now) => ({ ...now, chosenKey: null, marks: [], isOpen: false, document: null }));
});

/** The card of a sentence's citation, with what is known of both. */
function card(about: Partial<Sentence>, cited: Partial<Citation> = {}, others: Citation[] = []): HTMLElement {
  const whole = turnOf(told([["", "It is.", [1], about.support ?? "verified", about]]));
  const turn = { ...whole, citations: [{ ...citation(1), ...cited }, ...others] };
  page = drawn(<CitationCard />);
  const chip = document.createElement("button");
  const given = { turn, sentence: turn.sentences[0] as Sentence, index: 0, n: 1, citation: turn.citations[0] ?? null };
  act(() => cardStore.set({ ...given, chip }));
  return page.page.querySelector(".card") as HTMLElement;
}

test("a row of a table is drawn under its heads, with the table's words on unit and scale", () => {
  const rows = [
    { heads: ["", "2015", "2014"], cells: ["Net revenue", "3,991", "5,506"], note: "in millions of dollars" },
    { heads: ["", "2015", "2014"], cells: ["Cost", "2,740", "3,120"], note: "in millions of dollars" },
  ];
  const made = card({}, { rows });
  expect(made.querySelector("blockquote")).toBeNull();
  expect([...made.querySelectorAll("thead th")].map((each) => each.textContent)).toEqual(["", "2015", "2014"]);
  expect([...made.querySelectorAll("tbody tr")].map((each) => each.textContent)).toEqual([
    "Net revenue3,9915,506",
    "Cost2,7403,120",
  ]);
  expect(made.querySelectorAll("table")).toHaveLength(1);
  expect(made.querySelector(".card-rows p")?.textContent).toBe("in millions of dollars");
});

test("a card names the place: the page and the heading above the words", () => {
  expect(card({}, { heading: "Who decides" }).querySelector(".card-where")?.textContent).toBe(
    "The dam page 3 · Who decides",
  );
  page?.leave();
  expect(card({}, { page: null, heading: "Who decides" }).querySelector(".card-where")?.textContent).toBe(
    "The dam Who decides",
  );
  page?.leave();
  expect(card({}, { page: null, start: 12 }).querySelector(".card-where")?.textContent).toBe(
    "The dam at the beginning",
  );
});

test("a calculated figure shows its calculation, a verdict its judge and its reasons", () => {
  const computed = card({ basis: "computed", computed: "3,991 / 5,506 − 1 = −27.5 %" });
  expect(computed.querySelector(".card-verdict")?.textContent).toBe("calculated");
  expect(computed.querySelector(".card-computed")?.textContent).toBe("3,991 / 5,506 − 1 = −27.5 %");
  page?.leave();
  const partial = card({ support: "partial", judge: "openai:gpt-5", reasons: ["The cause is not said."] });
  expect(partial.querySelector(".card-verdict")?.textContent).toBe("partly supported · judged by openai:gpt-5");
  expect(partial.querySelector("li")?.textContent).toBe("The cause is not said.");
});

test("what the source says instead is told unless the quote says it already", () => {
  const other = card({ support: "contradicted", source: "Cost | 2015: 2,740" });
  expect(other.querySelector(".card-source")?.textContent).toBe("The source says: Cost · 2015: 2,740");
  page?.leave();
  expect(card({ support: "contradicted", source: "quote 1" }).querySelector(".card-source")).toBeNull();
});

test("the lines of a file are joined in a quote, those of code are kept", () => {
  const quote = "The dam leaked in\n1931 and in\n1932.";
  expect(card({}, { quote }).querySelector("blockquote")?.textContent).toBe("The dam leaked in 1931 and in 1932.");
  page?.leave();
  expect(card({}, { quote, path: "dam.py" }).querySelector("blockquote")?.textContent).toBe(quote);
});

test("a card says once that the source says otherwise, in whichever language the answer is", () => {
  const words = "It leaked twice.";
  for (const first of ["the source says otherwise", `la source dit autre chose : « ${words} »`]) {
    const reasons = [first, "the source does not say “once”"];
    const made = card({ support: "contradicted", source: words, reasons });
    expect([...made.querySelectorAll("li")].map((each) => each.textContent)).toEqual([reasons[1]]);
    expect(made.querySelector(".card-source")?.textContent).toBe(`The source says: ${words}`);
    page?.leave();
  }
  const reasons = ["the source says 12 m, the sentence says 10 m"];
  const made = card({ support: "contradicted", source: "12 m", reasons });
  expect(made.querySelector("li")?.textContent).toBe(reasons[0]);
  expect(made.querySelector(".card-source")).toBeNull();
});

test("a source that scrolls to its words hides no card, and keeps none from appearing", () => {
  vi.useFakeTimers();
  card({});
  const [talk, source] = [document.createElement("main"), document.createElement("aside")];
  document.body.append(talk, source);
  const shown = cardStore.get();
  const first = talk.appendChild(document.createElement("button"));
  const second = talk.appendChild(document.createElement("button"));
  act(() => cardStore.set(shown && { ...shown, chip: first }));
  const scroll = (element: HTMLElement) => act(() => void element.dispatchEvent(new Event("scroll")));
  scroll(source);
  expect(cardStore.get()?.chip).toBe(first);
  if (shown) cardStore.showSoon({ ...shown, chip: second });
  scroll(source);
  scroll(talk);
  expect(cardStore.get()).toBeNull();
  act(() => void vi.advanceTimersByTime(200));
  expect(cardStore.get()?.chip).toBe(second);
  talk.remove();
  source.remove();
  vi.useRealTimers();
});

test("a passage that may support a sentence is offered, and opens its source", () => {
  const made = card({ support: "unsupported", suggested: [4, 9] }, {}, [citation(4)]);
  expect(made.querySelector(".offered")?.textContent?.trim()).toBe("Another passage may support it:[4]");
  act(() => made.querySelector<HTMLButtonElement>(".offered button")?.click());
  expect(viewerStore.get()).toMatchObject({ chosenKey: "m1:4", isOpen: true });
});

test("a verdict that settles while its card is looked at is told there too", () => {
  const awaited = told([["", "It is.", [1], "unchecked", { checking: true }]] as Part[]).slice(0, -2);
  const settled = sentence("It is.", [1], "verified", 0, { basis: "judge" });
  const event: Said = { type: "citation", data: { index: 0, sentence: settled, citations: [citation(1)] } };
  const both = (events: typeof awaited) => (
    <>
      <AnswerText turn={turnOf(events)} />
      <CitationCard />
    </>
  );
  page = drawn(both(awaited));
  const turn = turnOf(awaited);
  const given = { turn, sentence: turn.sentences[0] as Sentence, index: 0, n: 1, citation: citation(1) };
  act(() => cardStore.set({ ...given, chip: page?.page.querySelector(".chip") as HTMLElement }));
  const verdict = () => page?.page.querySelector(".card-verdict")?.textContent;
  expect(verdict()).toBe("being checked…");
  page.draw(both([...awaited, ...numbered([event], "m1", 100)]));
  expect(verdict()).toBe("verified");
});

test("the cited words are copied with their document and page, or with the lines of a file", async () => {
  const copied: string[] = [];
  const clipboard = { writeText: async (text: string) => void copied.push(text) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  const copy = async (cited: Partial<Citation>) => {
    const buttons = [...card({}, cited).querySelectorAll<HTMLButtonElement>(".card-acts button")];
    await act(async () => buttons.find((each) => each.textContent?.includes("Copy with citation"))?.click());
    return copied.at(-1);
  };
  const words = { quote: "It is 41 m\nhigh.", title: "The dam", page: 3, label: "", boxes: [] };
  expect(await copy(words)).toBe("“It is 41 m high.” (The dam, p. 3)");
  expect(await copy({ ...words, label: "ii" })).toBe("“It is 41 m high.” (The dam, p. ii)");
  const lines: [number, number] = [4, 6];
  expect(await copy({ quote: "def lift():", path: "crane.py", lines })).toBe("“def lift():” (crane.py:4–6)");
  Reflect.deleteProperty(navigator, "clipboard");
});
