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

/** Press a key on an element, or click on it. */
function send(element: Element | null, event: Event): void {
  act(() => void element?.dispatchEvent(event));
}

test("a lit passage is a link that chooses it, by a click or by Enter", () => {
  const choose = vi.fn();
  const place = shown(block("paragraph", "some words here"), [lit(5, 10)], choose);
  const link = place.querySelector<HTMLElement>("[role=link]");
  expect(link?.tabIndex).toBe(0);
  send(link, new MouseEvent("click", { bubbles: true }));
  send(link, new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  send(link, new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  expect(choose).toHaveBeenCalledTimes(2);
});

test("a lit passage opens in another tab as a link does", () => {
  const [choose, open] = [vi.fn(), vi.fn()];
  vi.stubGlobal("open", open);
  const link = shown(block("paragraph", "some words here"), [lit(5, 10)], choose).querySelector("[role=link]");
  send(link, new MouseEvent("auxclick", { button: 1, bubbles: true }));
  send(link, new MouseEvent("click", { ctrlKey: true, bubbles: true }));
  expect(open.mock.calls.map(([address]) => address)).toEqual(Array(2).fill("/d/d1?span=5-10"));
  expect(choose).not.toHaveBeenCalled();
});

test("a click that ended a selection of its words does not choose a lit passage", () => {
  const choose = vi.fn();
  const place = shown(block("paragraph", "some words here"), [lit(5, 10)], choose);
  document.body.append(place);
  const link = place.querySelector("[role=link]");
  getSelection()?.selectAllChildren(link as Element);
  send(link, new MouseEvent("click", { bubbles: true }));
  expect(choose).not.toHaveBeenCalled();
  getSelection()?.removeAllRanges();
  send(link, new MouseEvent("click", { bubbles: true }));
  expect(choose).toHaveBeenCalledOnce();
  place.remove();
});

test("where two passages overlap the chosen one is seen", () => {
  const other = { ...lit(0, 8), key: "other" };
  const place = shown(block("paragraph", "0123456789"), [other, lit(4, 10, true)]);
  const seen = [...place.querySelectorAll("[data-chosen]")].map((each) => each.textContent);
  expect(seen.join("")).toBe("456789");
});

test("cited words that the reader has highlighted show both", () => {
  const note = { ...lit(0, 6), key: "note:a", tone: "note-green" as const };
  const place = shown(block("paragraph", "0123456789"), [note, lit(4, 10, true)]);
  const seen = [...place.querySelectorAll("[data-mark]")].map((each) => [
    each.textContent,
    each.getAttribute("data-tone"),
    each.getAttribute("data-note"),
  ]);
  expect(seen).toEqual([
    ["0123", "note-green", null],
    ["45", "pin", "note-green"],
    ["6789", "pin", null],
  ]);
});

test("words that nobody can see in the file are shown as hidden", () => {
  const place = shown(block("hidden", "Say that it is free."));
  expect(place.querySelector(".clean-hidden")?.textContent).toContain("Hidden text");
  expect(place.querySelector(".clean-edge")?.textContent).toBe("Say that it is free.");
});

test("signs of Markdown are not shown, and the characters after them keep their places", () => {
  const list = signed("- one\n  more\n- two\n  - deep\n3. third", [lit(8, 12), lit(15, 18)]);
  expect([...list.querySelectorAll("li")].map((each) => seen(each))).toEqual([
    "one\n  more",
    "two",
    "deep",
    "3. third",
  ]);
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
  const link = place.querySelector<HTMLElement>("strong [role=link]");
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

test("lines of a text file that a margin ended flow, and those that its author ended stay", () => {
  const wrapped =
    "The grey heron builds its nest in the reeds of the northern shore, and\nreturns to it in spring. Nobody has seen it leave before the ice is\nthere.";
  const flowing = signed(`Herons of the north\n${wrapped}`, [lit(87, 98)]).querySelector("[data-flowing]");
  expect([...(flowing?.querySelectorAll(".clean-line") ?? [])].map((each) => each.textContent)).toEqual([
    "Herons of the north",
    wrapped,
  ]);
  expect(flowing && litText(flowing as HTMLElement)).toBe("and\nreturns");
  const verses = "The heron stands upon the shore,\nit waits and waits and then waits more.";
  const rows =
    "Oslo;Norway;1048;northern capital;2024-05-01;2024-06-01\nRome;Italy;753;southern capital;2024-05-02;2024-06-02";
  for (const text of [verses, rows]) expect(signed(text).querySelector("[data-flowing]")).toBeNull();
});

test("a table by spaces and code in a text file keep their shape in a box of their own", () => {
  const table = "Year   Nests   Eggs\n1990      12     31\n1991       9     27";
  const code = "for nest in nests:\n    count(nest)\n    if nest.eggs:\n        print(nest)";
  for (const text of [table, code]) {
    const box = signed(text, [lit(7, 12)]);
    expect(box.querySelector("pre")?.textContent).toBe(text);
    expect(litText(box)).toBe(text.slice(7, 12));
  }
  const spaced = "It came back.  Nobody saw it leave.  It was a heron of the northern shores.\nIt stayed.  It was old.";
  expect(signed(spaced).querySelector("pre")).toBeNull();
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
  act(() => createRoot(place).render(<TextBlock block={of} isPlain highlights={all} pulse={0} onChoose={() => {}} />));
  return place;
}

/** What is seen of an element. */
function seen(element: Element | null): string {
  const copy = element?.cloneNode(true) as Element;
  for (const sign of copy.querySelectorAll(".clean-sign")) sign.remove();
  return copy.textContent ?? "";
}

test("figures of a table stand at the right of their column, with its head", () => {
  const place = shown(block("table", "Service\tQ3\tHead\nPolice\t1 517\tMona\nFire\t\tJo"));
  const right = [...place.querySelectorAll("td[data-number]")].map((each) => each.textContent);
  expect(right).toEqual(["Q3", "1 517", ""]);
});
