import { expect, test } from "vitest";
import { findUnsupportedWords } from "../../../src/conversation/markdown/unsupportedWords";
import { sentence } from "../fixtures";

function found(text: string, ...unsupported: string[]): string[] {
  return findUnsupportedWords(sentence(text, [1], "partial", 0, { unsupported }), text).map(({ start, end }) =>
    text.slice(start, end),
  );
}

test("unsupported words are found in their sentence, whatever Markdown stands between them", () => {
  expect(found("It rose by **10 percent** in 2010.", "10 percent", "IN 2010")).toEqual(["10 percent", "in 2010"]);
  expect(found("It rose *by*\n`ten` percent.", "by ten percent")).toEqual(["by*\n`ten` percent"]);
  expect(found("L’eau n’est pas potable.", "n'est pas potable")).toEqual(["n’est pas potable"]);
});

test("a number is not found at the end of another", () => {
  expect(found("In 2010 there were 10 (ten).", "10")).toEqual(["10"]);
  expect(
    findUnsupportedWords(sentence("x", [], "partial", 0, { unsupported: ["10"] }), "In 2010 there were 10.")[0]?.start,
  ).toBe(19);
});

test("words with signs of their own are words, and those that are not there are left out", () => {
  expect(found("It costs $3.5 (net) [a-b].", "$3.5 (net) [a-b]", "nowhere", "")).toEqual(["$3.5 (net) [a-b]"]);
});

test("words that overlap are marked once", () => {
  expect(found("One two three.", "one two", "two three")).toEqual(["One two three"]);
});

test("only what is partly supported or contradicted has words of its own to mark, and only when that is settled", () => {
  const words = { unsupported: ["One"] };
  expect(findUnsupportedWords(sentence("One.", [1], "unsupported", 0, words), "One.")).toEqual([]);
  expect(findUnsupportedWords(sentence("One.", [1], "contradicted", 0, words), "One.")).toHaveLength(1);
  expect(findUnsupportedWords(sentence("One.", [1], "partial", 0, { ...words, checking: true }), "One.")).toEqual([]);
});
