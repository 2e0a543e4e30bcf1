import fc from "fast-check";
import { expect, test } from "vitest";
import { makeDirective, makeFragmentLink } from "../../src/text/textFragments";

const PAGE = "https://example.org/a";

test("a short quote is looked for whole, with every sign of it that means something in an address escaped", () => {
  expect(makeFragmentLink(PAGE, "Well-kept, 5 & 6 (100%)!")).toBe(
    `${PAGE}#:~:text=Well%2Dkept%2C%205%20%26%206%20%28100%25%29%21`,
  );
});

test("of a long quote the first and the last words are looked for", () => {
  const quote = Array.from({ length: 40 }, (_, n) => `word${n}`).join(" ");
  expect(makeDirective(quote)).toBe(
    "word0%20word1%20word2%20word3%20word4%20word5,word34%20word35%20word36%20word37%20word38%20word39",
  );
});

test("words are never looked for over the end of a paragraph, nor with the mark of a list", () => {
  expect(makeDirective("The dam is high.\n\n- It is old.")).toBe("The%20dam%20is%20high.,It%20is%20old.");
});

test("a place in the page stays, and an older fragment goes", () => {
  expect(makeFragmentLink(`${PAGE}#top`, "dam")).toBe(`${PAGE}#top:~:text=dam`);
  expect(makeFragmentLink(`${PAGE}#top:~:text=lake`, "dam")).toBe(`${PAGE}#top:~:text=dam`);
});

test("without words to look for the link is the page's own", () => {
  for (const quote of ["", " \n\t ", "x".repeat(400)]) expect(makeFragmentLink(PAGE, quote)).toBe(PAGE);
});

test("whatever is quoted, each part can be read back and stands in one paragraph of the quote", () => {
  const wild = fc.array(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("-", ",", "&", " ", "\n", "été", "👍🏽")),
  );
  fc.assert(
    fc.property(
      wild.map((pieces) => pieces.join(" ")),
      (quote) => {
        const found = makeDirective(quote);
        expect(found).not.toMatch(/[-&#\s]/);
        const plain = quote.toWellFormed().replace(/[^\S\n]+/g, " ");
        for (const part of found ? found.split(",") : []) {
          const words = decodeURIComponent(part);
          expect(words).not.toContain("\n");
          for (const word of words.split(" ")) expect(plain).toContain(word);
        }
      },
    ),
  );
});
