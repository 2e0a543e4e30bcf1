import fc from "fast-check";
import { expect, test } from "vitest";
import { createCodePointIndex, toCodePointIndex, toUtf16Index } from "../../src/text/codePoints";

const TEXT = fc.string({ unit: fc.constantFrom("a", "é", "€", "🙂", "\u{10348}", "\n") });

test("the server's characters and JavaScript's units lead to each other", () => {
  fc.assert(
    fc.property(TEXT, fc.nat(30), (text, point) => {
      const wanted = Math.min(point, [...text].length);
      expect(toUtf16Index(text, point)).toBe([...text].slice(0, wanted).join("").length);
      expect(toCodePointIndex(text, toUtf16Index(text, point))).toBe(wanted);
    }),
  );
});

test("many places of a text are found as one is, even between the halves of a character", () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const point = createCodePointIndex(text);
      for (let unit = 0; unit <= text.length + 1; unit++) expect(point(unit)).toBe(toCodePointIndex(text, unit));
    }),
  );
});
