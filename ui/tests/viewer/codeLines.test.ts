import fc from "fast-check";
import { expect, test } from "vitest";
import { findLine, markLines, placeOnLine, splitCodeLines } from "../../src/viewer/codeLines";
import type { Highlight } from "../../src/viewer/highlights";
import type { Mark } from "../../src/viewer/viewerStore";

const texts = fc
  .array(fc.constantFrom("a", "🙂", "\n", "\r\n", "\r", "\u2028", "\f", "\t", "é"), { maxLength: 40 })
  .map((parts) => parts.join(""));

test("lines end where editors end them, and every character is in its line", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const lines = splitCodeLines(text);
      const points = [...text];
      for (const { text: said, start, end } of lines) expect(points.slice(start, end).join("")).toBe(said);
      expect(lines.map(({ number }) => number)).toEqual(lines.map((_, at) => at + 1));
      const plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
      expect(lines.map((each) => each.text)).toEqual(text ? plain.split("\n") : []);
      for (const [at, { start, end }] of lines.entries()) {
        for (let point = start; point < end; point++) expect(findLine(lines, point)).toBe(at);
      }
    }),
  );
});

function highlight(start: number, end: number, isChosen: boolean, lines?: [number, number]): Highlight {
  const mark = { key: "m", start, end, ...(lines && { lines }) } as Mark;
  return { key: "m", tone: "pin", isChosen, start, end, boxes: [], mark };
}

test("exactly the cited lines are marked, and the chosen citation wins", () => {
  const lines = splitCodeLines("one\ntwo\n\nfour\nfive\n");
  expect([...markLines(lines, [highlight(4, 13, true)])]).toEqual([
    [2, "chosen"],
    [3, "chosen"],
    [4, "chosen"],
  ]);
  // The end of a citation is exclusive: up to the line end of "two" is not the next line.
  expect([...markLines(lines, [highlight(4, 8, true)]).keys()]).toEqual([2]);
  const both = markLines(lines, [highlight(0, 7, false), highlight(4, 7, true), highlight(4, 20, false)]);
  expect([...both].toSorted((a, b) => a[0] - b[0])).toEqual([
    [1, "other"],
    [2, "chosen"],
    [3, "other"],
    [4, "other"],
    [5, "other"],
  ]);
});

test("the lines that the server names are marked, however few of their characters are lit", () => {
  const lines = splitCodeLines("one\ntwo\nthree\n");
  expect([...markLines(lines, [highlight(4, 5, true, [1, 2])]).keys()]).toEqual([1, 2]);
});

test("a search match marks no line", () => {
  const found: Highlight = { ...highlight(0, 3, true), tone: "found", mark: null };
  expect(markLines(splitCodeLines("one\n"), [found]).size).toBe(0);
});

test("a highlight of several lines is not drawn on their indentation, but on every other character", () => {
  const lines = splitCodeLines("def f():\n    a = 1\n\n    b\n");
  const lit = (start: number, end: number) =>
    lines.map((line) => placeOnLine(line, [highlight(start, end, true)]).map((each) => [each.start, each.end]));
  expect(lit(4, 25)).toEqual([[[4, 25]], [[13, 25]], [], [[24, 25]]]);
  // The link takes the focus where its first line begins.
  const entries = lines.map((line) => placeOnLine(line, [highlight(9, 25, true)]).map((each) => each.entry));
  expect(entries).toEqual([[], [13], [], [undefined]]);
  // One that ends in the indentation has nothing to draw there.
  expect(lit(0, 11)[1]).toEqual([]);
});
