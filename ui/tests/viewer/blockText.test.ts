import fc from "fast-check";
import { expect, test } from "vitest";
import { splitEndedLines, splitLines, splitRows, splitWrappedLines, stripFences } from "../../src/viewer/blockText";

const words = (text: string) => splitRows(text).map((row) => row.map((cell) => cell.text));

test("a table with tabs has a cell between each two", () => {
  expect(words("name\tage\nAnn\t\nBob\t4")).toEqual([
    ["name", "age"],
    ["Ann", ""],
    ["Bob", "4"],
  ]);
});

test("a Markdown table is shown without its pipes and its rule", () => {
  expect(words("| a | b |\n|:--|---|\n| 1 | two words |")).toEqual([
    ["a", "b"],
    ["1", "two words"],
  ]);
});

test("a row of minus signs between tabs is data, unless nothing else is on it", () => {
  expect(words("-1\t-2")).toEqual([["-1", "-2"]]);
});

test("every cell, line and piece of code says where in the text it stands", () => {
  const unit = fc.constantFrom("a", "b", " ", "|", "\t", "\n", "-", "😀", "`");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      for (const cell of [
        ...splitRows(text).flat(),
        ...splitLines(text),
        ...splitEndedLines(text),
        ...(splitWrappedLines(text) ?? []),
        stripFences(text),
      ]) {
        expect(text.slice(cell.at, cell.at + cell.text.length)).toBe(cell.text);
      }
    }),
  );
});

test("a line of a printed page that ends within a word is not longer for that", () => {
  const text = "Each chunk is repli\u00ad\u2060cated on many\nservers and on others\ntoo.\nUsers ask.";
  expect(splitEndedLines(text).map((line) => line.text.split("\n").length)).toEqual([3, 1]);
});

test("no character but line ends is lost between the lines of a printed paragraph", () => {
  const unit = fc.constantFrom("a", "bc", " ", "\n", "😀");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const words = (each: string) => each.replace(/\s/g, "");
      expect(
        words(
          splitEndedLines(text)
            .map((line) => line.text)
            .join(""),
        ),
      ).toBe(words(text));
    }),
  );
});

test("code is shown without its fences", () => {
  expect(stripFences("```python\nx = 1\ny = 2\n```").text).toBe("x = 1\ny = 2");
  expect(stripFences("x = 1").text).toBe("x = 1");
});

test("code is the same without its fences, whatever is in it and however long they are", () => {
  const code = fc
    .string({ unit: fc.constantFrom("a", " ", "\n", "`", "~", "\t") })
    .filter((each) => !/[`~]{3}/.test(each));
  const fences = fc.tuple(fc.constantFrom("`", "~"), fc.integer({ min: 3, max: 6 }), fc.integer({ min: 0, max: 2 }));
  fc.assert(
    fc.property(code, fences, (each, [mark, length, more]) => {
      const text = `${mark.repeat(length)}py\n${each}\n${mark.repeat(length + more)}`;
      expect(stripFences(text)).toEqual({ text: each.trimEnd(), at: length + 3 });
    }),
  );
});

test("a stranger's code with endless blanks in it stops nothing", () => {
  const blank = `a${" ".repeat(50_000)}b`;
  expect(stripFences(`\`\`\`\n${blank}\n\`\`\``)).toEqual({ text: blank, at: 4 });
});
