import fc from "fast-check";
import { expect, test } from "vitest";
import { hideMath, isFormula, PLACEHOLDER } from "../../../src/conversation/markdown/hideMath";

const found = (text: string) => hideMath(text).formulas.map(({ tex, isDisplay }) => (isDisplay ? `[${tex}]` : tex));

test.each([
  ["The area is $\\pi r^2$ in all.", ["\\pi r^2"]],
  ["$$\nE = mc^2\n$$", ["[E = mc^2]"]],
  ["So \\(a_1 + b\\) and \\[x = \\frac{1}{2}\\].", ["a_1 + b", "[x = \\frac{1}{2}]"]],
  ["With $n$ of them, $2x$ and $f(x)$ ($a + b$).", ["n", "2x", "f(x)", "a + b"]],
  ["$x$-axis, “$y$”", ["x", "y"]],
])("the formulas of %j are found", (text, formulas) => expect(found(text)).toEqual(formulas));

test.each([
  "It costs $5 and $10.",
  "From $5 to $10 and 20$ more.",
  "US$5, A$7 and 12$ a day",
  "$5 (about 4 euros) or 10$ there",
  "Set `$x_1$` in\n```\n$a_1$ \\(b\\)\n```\n",
  "\\$x_1$ and a $ b_1 $ c",
  "https://a.example/$x$/b",
  "$$ a\n\nb $$",
])("nothing in %j is a formula", (text) => expect(found(text)).toEqual([]));

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
