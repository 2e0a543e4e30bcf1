import fc from "fast-check";
import { expect, test } from "vitest";
import { findSourceOffsets } from "../../../src/conversation/markdown/sourceOffsets";

/** Pieces of a source with what each of them becomes. */
const PIECES = fc.constantFrom<[string, string]>(
  ["a", "a"],
  ["é", "é"],
  ["🙂", "🙂"],
  [" ", " "],
  ["\\*", "*"],
  ["\\\\", "\\"],
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&#233;", "é"],
  ["&#x1F642;", "🙂"],
  ["&Afr;", "𝔄"],
  ["&nbsp;", "\u00a0"],
  ["&notanentityatall;", "&notanentityatall;"],
  ["\n> ", "\n"],
  ["\n   ", "\n"],
);

test("each character of a text is found where it stands in its source, through escapes, entities and quote marks", () => {
  fc.assert(
    fc.property(fc.array(PIECES, { maxLength: 20 }), (pieces) => {
      const source = pieces.map(([from]) => from).join("x");
      const value = pieces.map(([, to]) => to).join("x");
      const places = findSourceOffsets(source, value);
      expect(places).toHaveLength(value.length + 1);
      let at = 0;
      let unit = 0;
      for (const [from, to] of pieces) {
        expect(places[unit]).toBe(at);
        at += from.length + 1;
        unit += to.length + 1;
      }
    }),
  );
});

test("a value that is not in its source still gets a place for every character", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (source, value) => {
      const places = findSourceOffsets(source, value);
      expect(places).toHaveLength(value.length + 1);
      for (const place of places) expect(place).toBeLessThanOrEqual(source.length);
    }),
  );
});
