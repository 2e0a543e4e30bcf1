import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  describeBasis,
  describeCitation,
  describeEnd,
  describeSentence,
  type Judge,
  type Repair,
  summarize,
  type Verdict,
} from "../../src/conversation/verdicts";
import { type Language, wordsOf } from "../../src/words";

type Both<T> = Record<Language, T>;
interface Cases {
  sentences: { name: string; sentence: Verdict; note: Both<string>; basis: Both<string> }[];
  summaries: { name: string; supports: (string | null)[]; judge: Judge | null; summary: Both<string> }[];
  ends: { name: string; cut: string | null; repairs: Repair[]; told: Both<string[]> }[];
}

/** The cases of the server's own tests: what is copied and what is exported say the same. */
const path = join(import.meta.dirname, "../../../tests/conversations/verdict_cases.json");
const CASES: Cases = JSON.parse(readFileSync(path, "utf-8"));

describe.each<Language>(["en", "fr"])("in %s", (language) => {
  const say = wordsOf(language);

  test.each(CASES.sentences)("a sentence: $name", ({ sentence, note, basis }) => {
    expect(describeSentence(sentence, say)).toBe(note[language]);
    expect(describeBasis(sentence, say)).toBe(basis[language]);
  });

  test.each(CASES.summaries)("a summary: $name", ({ supports, judge, summary }) => {
    const sentences = supports.map((support) => ({ support }));
    expect(summarize(sentences, judge, say)).toBe(summary[language]);
  });

  test.each(CASES.ends)("an end: $name", ({ cut, repairs, told }) => {
    expect(describeEnd(cut, repairs, say)).toEqual(told[language]);
  });
});

test("a footnote tells each basis of those that cite it once", () => {
  const sentences: Verdict[] = [
    { citations: [1], support: "verified", basis: "quote" },
    { citations: [1, 2], support: "verified", basis: "judge", judge: "m" },
    { citations: [1], support: "verified", basis: "quote" },
    { citations: [1], support: "contradicted" },
  ];
  expect(describeCitation(sentences, 1, wordsOf("en"))).toBe("quoted, verified by m");
});
