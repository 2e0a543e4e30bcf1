import fc from "fast-check";
import { expect, test } from "vitest";
import { splitInline } from "../../src/viewer/inlineMarkdown";

/** The parts that are shown, each with its styles in front. */
const shown = (text: string) =>
  splitInline(text)
    .filter(({ isSign }) => !isSign)
    .map(({ text, styles }) => (styles.length ? `${styles.join(" ")}: ${text}` : text));

test.each([
  ["The *old* ferry", ["The ", "em: old", " ferry"]],
  ["**Rent**: 840 euros", ["strong: Rent", ": 840 euros"]],
  ["**all *of* it**", ["strong: all ", "strong em: of", "strong:  it"]],
  ["_so_ and __so__", ["em: so", " and ", "strong: so"]],
  ["Set `a*b*c` first", ["Set ", "code: a*b*c", " first"]],
  ["*two\nlines*", ["em: two\nlines"]],
])("in %j signs are styles", (text, parts) => expect(shown(text)).toEqual(parts));

test.each(["2 * 3 * 4", "snake_case_name", "a ** b ** c", "\\*not\\*", "* alone", "5*"])(
  "in %j nothing is a sign",
  (text) => expect(shown(text)).toEqual([text]),
);

test("the parts joined are the text, each at its place", () => {
  const unit = fc.constantFrom("a", " ", "*", "**", "_", "__", "`", "\\", "\n", "😀");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      let at = 0;
      for (const part of splitInline(text)) {
        expect(part.at).toBe(at);
        expect(text.slice(at, at + part.text.length)).toBe(part.text);
        at += part.text.length;
      }
      expect(at).toBe(text.length);
    }),
  );
});

test("a text of signs alone takes no time", () => {
  const begun = performance.now();
  for (const sign of ["*", "**", "_a", "*a ", "`"]) splitInline(sign.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(2000);
});
