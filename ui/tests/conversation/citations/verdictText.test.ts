import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  countVerdicts,
  describeBasis,
  describeCitation,
  describeEnd,
  describeSentence,
  type Judge,
  type Repair,
  type Verdict,
} from "../../../src/conversation/citations/verdictText";
import { createTranslate, type Language } from "../../../src/i18n";

type Both<T> = Record<Language, T>;
interface Cases {
  sentences: { name: string; sentence: Verdict; note: Both<string>; basis: Both<string> }[];
  summaries: {
    name: string;
    supports: (string | null)[];
    basis?: string;
    judge: Judge | null;
    summary: Both<string>;
  }[];
  ends: { name: string; cut: string | null; repairs: Repair[]; told: Both<string[]> }[];
}

/** The cases of the server's own tests: what is copied and what is exported say the same. */
const path = join(import.meta.dirname, "../../../../tests/conversations/verdict_cases.json");
const CASES: Cases = JSON.parse(readFileSync(path, "utf-8"));

describe.each<Language>(["en", "fr"])("in %s", (language) => {
  const t = createTranslate(language);

  test.each(CASES.sentences)("a sentence: $name", ({ sentence, note, basis }) => {
    expect(describeSentence(sentence, t)).toBe(note[language]);
    expect(describeBasis(sentence, t)).toBe(basis[language]);
  });

  test.each(CASES.summaries)("a summary: $name", ({ supports, basis = null, judge, summary }) => {
    const sentences = supports.map((support) => ({ support, basis }));
    expect(countVerdicts(sentences, judge, t)).toBe(summary[language]);
  });

  test.each(CASES.ends)("an end: $name", ({ cut, repairs, told }) => {
    expect(describeEnd(cut, repairs, t)).toEqual(told[language]);
  });
});

test("a footnote tells each basis of those that cite it once", () => {
  const sentences: Verdict[] = [
    { citations: [1], support: "verified", basis: "quote" },
    { citations: [1, 2], support: "verified", basis: "judge", judge: "m" },
    { citations: [1], support: "verified", basis: "quote" },
    { citations: [1], support: "contradicted" },
  ];
  expect(describeCitation(sentences, 1, createTranslate("en"))).toBe("quoted, verified by m");
});
