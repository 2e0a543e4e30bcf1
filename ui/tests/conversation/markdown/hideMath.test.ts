import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hideMath, isFormula, PLACEHOLDER } from "../../../src/conversation/markdown/hideMath";

const found = (text: string) => hideMath(text).formulas.map(({ tex, isDisplay }) => (isDisplay ? `[${tex}]` : tex));

const path = join(import.meta.dirname, "../../../../tests/text/formula_cases.json");
const cases: { text: string; formulas: string[] }[] = JSON.parse(readFileSync(path, "utf8"));

// The server finds formulas by the same rules, for its exports; its tests read the same cases.
test.each(cases)("$text has the formulas $formulas", ({ text, formulas }) => expect(found(text)).toEqual(formulas));

test("a placeholder has the length of its formula, and nothing else changes", () => {
  const word = fc.constantFrom("$", "$$", "\\(", "\\)", "\\[", "\\]", "a_1", "5", " ", "\n", "`", "x", "\ue010");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 24 }), (words) => {
      const text = words.join("");
      const hidden = hideMath(text);
      expect(hidden.text.length).toBe(text.length);
      let at = 0;
      for (const { start, end } of hidden.formulas) {
        expect(hidden.text.slice(at, start)).toBe(text.slice(at, start));
        at = end;
      }
      expect(hidden.text.slice(at)).toBe(text.slice(at));
      if (hidden.formulas.length) expect(hidden.text.match(PLACEHOLDER)).toHaveLength(hidden.formulas.length);
    }),
  );
});

test("letters and signs make a formula, words and amounts do not", () => {
  expect(["x", "a+b", "\\alpha", "n!", "|x|", "sin(x)"].every(isFormula)).toBe(true);
  expect(["5", "5 + 10", "and", "5 and", "the lake", "10, or"].some(isFormula)).toBe(false);
});
