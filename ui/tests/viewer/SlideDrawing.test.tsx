import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import type { DrawnParagraph } from "../../src/viewer/DrawnText";
import type { Highlight } from "../../src/viewer/highlights";
import { SlideDrawing } from "../../src/viewer/SlideDrawing";
import { findTextRange } from "../../src/viewer/sourceSelection";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

type Drawing = Parameters<typeof SlideDrawing>[0]["drawing"];
type Shape = Drawing["shapes"][number];

const plain = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  shift: 0,
  breaks: 0,
  font: "sans" as const,
};

function run(start: number | null, text: string, more: object = {}) {
  return { ...plain, start, end: start === null ? null : start + [...text].length, text, size: 18, ...more };
}

function paragraph(runs: DrawnParagraph["runs"], more: object = {}): DrawnParagraph {
  return { runs, align: "left", margin: 0, indent: 0, before: 0, after: 0, line: 1, bullet: "", figures: [], ...more };
}

function shape(layer: number, more: Partial<Shape>): Shape {
  return {
    ...{ left: 72, top: 54, width: 480, height: 108, layer, turn: 0, form: "box", thickness: 0, anchor: "top" },
    ...{ insets: [0, 0, 0, 0], wraps: true, paragraphs: [] },
    ...more,
  } as Shape;
}

function lit(start: number, end: number, more: Partial<Highlight> = {}): Highlight {
  return { key: "m", tone: "pin", isChosen: true, start, end, boxes: [], mark: null, ...more };
}

function draw(shapes: Shape[], highlights: Highlight[] | null = []): HTMLElement {
  const place = document.createElement("div");
  const drawing: Drawing = { width: 960, height: 540, background: "#102030", picture: null, shapes };
  const lighting = highlights && { highlights, pulse: 0, onChoose: () => {} };
  act(() => createRoot(place).render(<SlideDrawing document="d1" drawing={drawing} lighting={lighting} />));
  return place;
}

const sentence = () =>
  shape(1, {
    paragraphs: [
      paragraph([run(10, "The 🦦 was "), run(21, "never", { bold: true, colour: "#ff0000" }), run(26, " seen.")], {
        bullet: "•",
        indent: -24,
        margin: 24,
      }),
    ],
  });

test("exactly the cited words are lit, across runs of different look", () => {
  const place = draw([sentence()], [lit(14, 26)]);
  const found = [...place.querySelectorAll<HTMLElement>(".lit")];
  expect(found.map((each) => each.textContent)).toEqual(["🦦 was ", "never"]);
  expect(found.map((each) => each.dataset.start)).toEqual(["14", "21"]);
  expect(found[1]?.closest<HTMLElement>("[style]")?.style.color).toBe("#ff0000");
});

test("the passage around them has a bar, and their shape comes above what covers it", () => {
  const place = draw([sentence()], [lit(14, 26), lit(10, 32, { tone: "passage", isChosen: false, key: "passage" })]);
  expect(place.querySelector("[data-passage]")?.textContent).toContain("seen.");
});

test("a selection on a slide has the characters of its words, and a bullet has none", () => {
  const place = draw([sentence()]);
  const [first, , last] = place.querySelectorAll("[data-from]");
  const selected = document.createRange();
  selected.setStart(first?.firstChild as Node, 4);
  selected.setEnd(last?.firstChild as Node, 5);
  expect(findTextRange(place, selected)).toEqual({ start: 14, end: 31 });
});

test("a shape stands at its share of the slide, whose background is the file's", () => {
  const place = draw([sentence()]);
  const box = place.querySelector<HTMLElement>(".slide-shape");
  expect([box?.style.left, box?.style.top, box?.style.width, box?.style.height]).toEqual(["7.5%", "10%", "50%", "20%"]);
  expect(place.querySelector<HTMLElement>(".slide-inside")?.style.backgroundColor).toBe("#102030");
});

test("words that are not in the text and those of a thumbnail are neither lit nor selected", () => {
  const fixed = shape(2, { paragraphs: [paragraph([run(null, "12")])] });
  expect(draw([fixed], [lit(0, 99)]).querySelector("[data-from], .lit")).toBeNull();
  const small = draw([sentence()], null);
  expect(small.querySelector("[data-from], .lit")).toBeNull();
  expect(small.textContent).toContain("never");
});

test("tables have their merged cells, pictures their address and lines their ends", () => {
  const cell = (start: number, text: string, more: object = {}) => ({
    ...{ columns: 1, rows: 1, fill: null, paragraphs: [paragraph([run(start, text)])] },
    ...more,
  });
  const place = draw(
    [
      shape(1, {
        table: {
          widths: [100, 300],
          heights: [20, 20],
          line: "#ffffff",
          rows: [[cell(0, "Head", { columns: 2, fill: "#4472c4" })], [cell(5, "one"), cell(9, "two")]],
        },
      }),
      shape(2, {
        picture: { number: 7, description: "A pier", left: 0.25, top: 0, right: 0.25, bottom: 0 },
      }),
      shape(3, { form: "up", line: "#000000", thickness: 1 }),
    ],
    [lit(9, 12)],
  );
  expect(place.querySelector<HTMLTableCellElement>("td")?.colSpan).toBe(2);
  expect([...place.querySelectorAll<HTMLElement>("col")].map((each) => each.style.width)).toEqual(["25%", "75%"]);
  expect([...place.querySelectorAll(".lit")].map((each) => each.textContent)).toEqual(["two"]);
  const image = place.querySelector("img");
  expect(image?.getAttribute("src")).toBe("/api/documents/d1/pictures/7");
  expect([image?.alt, image?.style.left, image?.style.width]).toEqual(["A pier", "-50%", "200%"]);
  expect(place.querySelector("line")?.getAttribute("y1")).toBe("100%");
});
