import fc from "fast-check";
import { expect, test } from "vitest";
import { stripMarkdown, writeWithFootnotes } from "../../../src/conversation/citations/footnotes";
import type { Verdict } from "../../../src/conversation/citations/verdictText";
import type { Turn } from "../../../src/conversation/turns";
import { createTranslate } from "../../../src/i18n";
import { inBrief, type Part, someParts, turnOf } from "../fixtures";

const [en, fr] = [createTranslate("en"), createTranslate("fr")];

/** A turn of these parts, with what more is known of each verdict, and of the answer. */
function turnWith(parts: Part[], verdicts: Partial<Verdict>[] = [], whole: object = {}): Turn {
  const turn = turnOf(inBrief(parts));
  const sentences = turn.sentences.map((each, place) => ({ ...each, ...verdicts[place] })) as Turn["sentences"];
  return { ...turn, sentences, answer: turn.answer && { ...turn.answer, ...whole } };
}

test("what is copied tells the verdict on each sentence, in the reader's language", () => {
  const parts: Part[] = [
    ["", "It is 35 m high.", [1]],
    [" ", "It is old.", [1]],
    [" ", "It is blue."],
    [" ", "It is deep.", [2]],
  ];
  const turn = turnWith(parts, [
    { support: "contradicted", source: "It is 33 m high." },
    { support: "partial", unsupported: ["old"] },
    { support: "unsupported" },
    { support: "verified", basis: "quote" },
  ]);
  expect(writeWithFootnotes(turn, en)).toBe(
    "It is 35 m high. [1] *(contradicted: the source says “It is 33 m high.”)* " +
      "It is old. [1] *(supported in part: “old” is not in the source)* " +
      "It is blue. *(not found in the sources)* It is deep. [2]\n\n" +
      "*1 of 4 sentences verified, 1 supported in part, 1 contradicted, 1 not found in the sources*\n\n" +
      "[1] The dam, p. 3: “quote 1”\n[2] The dam, p. 3: “quote 2” *(quoted)*",
  );
  expect(writeWithFootnotes(turn, fr)).toContain("It is blue. *(introuvable dans les sources)*");
  expect(stripMarkdown(writeWithFootnotes(turn, en, "plain"))).toContain(
    "It is blue. (not found in the sources) It is deep. [2]",
  );
});

test("a copied passage has one mark, and a footnote with its place and no quote of a part of it", () => {
  const parts: Part[] = [
    ["", "The term is a year.", [1]],
    [" ", "The fee is 20 euros.", [1]],
    ["\n\n", "The dam is high.", [2]],
  ];
  const passages = [
    { n: 1, headings: ["Contract", "3. Fees"] },
    { n: 2, headings: [] },
  ] as unknown as Turn["passages"];
  const turn = {
    ...turnWith(
      parts,
      [1, 2, 3].map(() => ({ support: "verified", basis: "quote" })),
    ),
    passages,
  };
  expect(writeWithFootnotes(turn, en)).toBe(
    "The term is a year. The fee is 20 euros. [1]\n\nThe dam is high. [2]\n\n" +
      "[1] The dam, p. 3, 3. Fees *(quoted)*\n[2] The dam, p. 3 *(quoted)*",
  );
});

test("the footnote of words that go over a page end names both pages", () => {
  const turn = turnWith([["", "It is 35 m high.", [1]]]);
  const boxes = [3, 4].map((page) => ({ page, width: 1, height: 1, rects: [[0, 0, 1, 1]] }));
  const crossing = { ...turn, citations: turn.citations.map((each) => ({ ...each, boxes })) } as Turn;
  expect(writeWithFootnotes(crossing, en)).toContain("[1] The dam, p. 3–4: “quote 1”");
  expect(writeWithFootnotes(crossing, fr)).toMatch(/p\.\s3–4/);
});

test("an index in the code of a copied passage stays", () => {
  const parts: Part[] = [
    ["", "Read the arguments:", [1]],
    ["\n\n", "```\na = argv[1]\nb = argv[1] + x\n```", [1]],
  ];
  const passages = [{ n: 1, headings: [] }] as unknown as Turn["passages"];
  const copied = writeWithFootnotes({ ...turnWith(parts), passages }, en);
  expect(copied).toContain("a = argv[1]\nb = argv[1] + x");
  expect(copied).toMatch(/```\n\n\[1\]/);
});

test("a code block is copied as it is: marks and verdicts stand around it", () => {
  const parts: Part[] = [
    ["", "Run it:"],
    ["\n", "```\nmake\n```", [1], null],
    ["\n", "It builds.", [1], "unsupported"],
  ];
  expect(writeWithFootnotes(turnWith(parts, [{ support: "unchecked" }]), en)).toContain(
    "Run it: *(not checked)*\n```\nmake\n```\n\n[1]\nIt builds. [1] *(not found in the sources)*",
  );
});

test("the verdict on a row is copied in its last cell, and so is its mark", () => {
  const parts: Part[] = [
    ["| Year | Sales |\n|---|---|\n", "| 2015 | 3,991 |", [1]],
    ["\n", "| 2014 | 5,506 |", [1]],
  ];
  const turn = turnWith(parts, [{ support: "contradicted", source: "a | b" }]);
  expect(writeWithFootnotes(turn, en)).toContain(
    "| 2015 | 3,991 [1] *(contradicted: the source says “a &#124; b”)* |\n| 2014 | 5,506 [1] |",
  );
});

test("who judged, what was repaired and how an answer was cut is copied", () => {
  const whole = {
    stopped: true,
    cut: "length",
    judge: { model: "openai:gpt-5", sentences: 1, agreed: 74, passed: 2, total: 80 },
    repairs: [{ before: "It is blue.", after: "", support: "unsupported", source: "" }],
  };
  const told = writeWithFootnotes(
    turnWith([["", "```\nIt is", [], null]], [{ support: "unchecked" }], whole),
    en,
    "plain",
  );
  expect(told).toBe(
    "```\nIt is\n```\n\n“``` It is”: not checked\n\n(stopped here)\n\n" +
      "0 of 1 sentence verified, 1 not checked; judged by openai:gpt-5 " +
      "(agreed with readers on 74 of 80, let 2 false sentences pass)\n\n" +
      "The answer ends early: the model reached its limit of length.\n\n" +
      "Withdrawn: “It is blue.” (not found in the sources).",
  );
});

test("whatever an answer says, no word of it is lost and its code blocks stay as they are", () => {
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  fc.assert(
    fc.property(someParts, (parts) => {
      const turn = turnOf(inBrief(parts));
      const made = writeWithFootnotes(turn, en, "plain");
      const blocks = (text: string) => text.split("```\ncode\n```\n").length;
      expect(blocks(made)).toBe(blocks(turn.text));
      const found = words(made);
      let at = 0;
      for (const word of words(turn.text.replace(/ ?\[\d+\]/g, " "))) {
        at = found.indexOf(word, at) + 1;
        expect([word, at > 0]).toEqual([word, true]);
      }
    }),
  );
});

test("a reference of the source keeps its square brackets when the quote is copied", () => {
  const turn = turnOf(inBrief([["", "Water boils (17, 21) at 100 °C (at sea).", [1]]]));
  const citations = turn.citations.map((each) => ({ ...each, quote: "So: Water boils [17, 21] at 100 °C (at sea)." }));
  expect(writeWithFootnotes({ ...turn, citations }, en)).toContain("Water boils [17, 21] at 100 °C (at sea). [1]");
  expect(writeWithFootnotes(turn, en)).toContain("Water boils (17, 21) at 100 °C (at sea). [1]");
});
