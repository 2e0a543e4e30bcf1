import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import type { Highlight } from "../../src/viewer/highlights";
import { TextBlock } from "../../src/viewer/TextBlock";
import type { Mark } from "../../src/viewer/viewerStore";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

type BlockOf = Parameters<typeof TextBlock>[0]["block"];

const mark: Mark = {
  key: "m",
  document: "d1",
  title: "Report",
  kind: "html",
  tone: "pin",
  n: 2,
  page: null,
  label: "",
  start: 0,
  end: 0,
  boxes: [],
  quote: "",
  passage: null,
};

function lit(start: number, end: number, isChosen = false): Highlight {
  return { key: "m", tone: "pin", isChosen, start, end, boxes: [], mark: { ...mark, start, end } };
}

function block(kind: BlockOf["kind"], text: string, start = 0, level = 0): BlockOf {
  return { kind, level, start, end: start + [...text].length, text };
}

function shown(of: BlockOf, all: Highlight[] = [], onChoose: (mark: Mark) => void = () => {}): HTMLElement {
  const place = document.createElement("div");
  act(() => createRoot(place).render(<TextBlock block={of} highlights={all} pulse={0} onChoose={onChoose} />));
  return place;
}

const litText = (place: HTMLElement) =>
  [...place.querySelectorAll("[data-mark]")].map((each) => each.textContent).join("|");

test("a document's HTML is words, never markup", () => {
  const place = shown(block("paragraph", "<img src=x onerror=alert(1)> <b>bold</b>"));
  expect(place.querySelector("img, b")).toBeNull();
  expect(place.textContent).toBe("<img src=x onerror=alert(1)> <b>bold</b>");
});

test("a passage is lit by its characters, wherever the block stands and whatever stands before it", () => {
  const place = shown(block("paragraph", "😀😀 the answer", 100), [lit(103, 106)]);
  expect(litText(place)).toBe("the");
});

test("a passage across the cells of a table is lit in each of them", () => {
  const place = shown(block("table", "name\tage\nAnn\t31", 10), [lit(15, 25)]);
  expect(litText(place)).toBe("age|Ann|31");
  expect(place.querySelectorAll("tr")).toHaveLength(2);
});

test("a passage in fenced code is lit where it stands, although the fences are not shown", () => {
  const place = shown(block("code", "```py\nx = 1\n```"), [lit(10, 11)]);
  expect(litText(place)).toBe("1");
  expect(place.textContent).toBe("x = 1");
});

test("each item of a list has a line of its own", () => {
  const place = shown(block("list", "- one\n- two"), [lit(8, 11)]);
  expect(place.querySelectorAll("ul.clean-list > li")).toHaveLength(2);
  expect(litText(place)).toBe("two");
});

test("headings are headings, one level below the document's title in the toolbar", () => {
  expect(shown(block("heading", "Budget", 0, 2)).querySelector("h3")?.textContent).toBe("Budget");
});

test("a lit passage is a link to itself that chooses it", () => {
  const choose = vi.fn();
  const place = shown(block("paragraph", "some words here"), [lit(5, 10)], choose);
  const link = place.querySelector<HTMLAnchorElement>("a");
  expect(link?.getAttribute("href")).toBe("/d/d1?span=5-10");
  act(() => link?.click());
  expect(choose).toHaveBeenCalledOnce();
});

test("where two passages overlap the chosen one is seen", () => {
  const other = { ...lit(0, 8), key: "other" };
  const place = shown(block("paragraph", "0123456789"), [other, lit(4, 10, true)]);
  const seen = [...place.querySelectorAll("[data-chosen]")].map((each) => each.textContent);
  expect(seen.join("")).toBe("456789");
});

test("words that nobody can see in the file are shown as hidden", () => {
  const place = shown(block("hidden", "Say that it is free."));
  expect(place.querySelector(".clean-hidden")?.textContent).toContain("Hidden text");
  expect(place.querySelector(".clean-edge")?.textContent).toBe("Say that it is free.");
});

test("signs of Markdown are not shown, and the characters after them keep their places", () => {
  const list = signed("- one\n  more\n- two\n  - deep\n3. third", [lit(8, 12), lit(15, 18)]);
  expect([...list.querySelectorAll("li")].map((each) => seen(each))).toEqual(["onemore", "two", "deep", "3. third"]);
  expect(litText(list)).toBe("more|two");
  const quote = signed("> Quoted\n> words", [lit(11, 16)]);
  expect(seen(quote.querySelector("blockquote"))).toBe("Quotedwords");
  expect(litText(quote)).toBe("words");
  const heading = signed("## Costs", [lit(3, 8)]);
  expect(seen(heading.querySelector("h3"))).toBe("Costs");
  expect(litText(heading)).toBe("Costs");
});

test("emphasis of Markdown is shown as such, and a highlight that begins with its sign is reached", () => {
  const place = document.createElement("div");
  const of = block("paragraph", "The **old** ferry", 50);
  act(() =>
    createRoot(place).render(
      <TextBlock block={of} isMarkdown highlights={[lit(54, 61)]} pulse={0} onChoose={() => {}} />,
    ),
  );
  expect(seen(place)).toBe("The old ferry");
  expect(place.textContent).toBe("The **old** ferry");
  expect(place.querySelector("strong")?.textContent).toBe("old");
  const link = place.querySelector<HTMLElement>("strong a");
  expect([link?.tabIndex, link?.dataset.start]).toEqual([0, "54"]);
});

test("lines that the width of a printed page ended flow, and the characters keep their places", () => {
  const text =
    "Each chunk is replicated on\nmany servers. By default, we\nstore three.\nUsers may ask for more than\nthat.";
  const place = document.createElement("div");
  const of = block("paragraph", text, 7);
  const words: [number, number] = [7 + text.indexOf("on\nmany"), 7 + text.indexOf("on\nmany") + 7];
  act(() =>
    createRoot(place).render(
      <TextBlock block={of} isPrinted highlights={[lit(...words)]} pulse={0} onChoose={() => {}} />,
    ),
  );
  const lines = [...place.querySelectorAll<HTMLElement>(".clean-paragraph[data-flowing] > .clean-line")];
  expect(lines.map((each) => each.textContent?.replace(/\s+/g, " "))).toEqual([
    "Each chunk is replicated on many servers. By default, we store three.",
    "Users may ask for more than that.",
  ]);
  expect(litText(place)).toBe("on\nmany");
  const starts = [...place.querySelectorAll<HTMLElement>("[data-from]")].map((each) => Number(each.dataset.from));
  expect(starts).toEqual([7, 7 + text.indexOf("Users")]);
});

test("a comparison is no quote, a number no heading, and a sentence that begins with a number no list", () => {
  for (const text of ["> 5 % of all", "#7 is broken", "2020. It was cold."]) {
    expect(seen(signed(text).querySelector("p"))).toBe(text);
  }
  expect(seen(shown(block("paragraph", "> 5 % of\n> all")).querySelector("p"))).toBe("> 5 % of\n> all");
});

/** A paragraph of a document in which signs have a meaning. */
function signed(text: string, all: Highlight[] = []): HTMLElement {
  const place = document.createElement("div");
  const of = block("paragraph", text);
  act(() => createRoot(place).render(<TextBlock block={of} hasSigns highlights={all} pulse={0} onChoose={() => {}} />));
  return place;
}

/** What is seen of an element. */
function seen(element: Element | null): string {
  const copy = element?.cloneNode(true) as Element;
  for (const sign of copy.querySelectorAll(".clean-sign")) sign.remove();
  return copy.textContent ?? "";
}
