import fc from "fast-check";
import { expect, test } from "vitest";
import { splitMatches } from "../../src/conversations/searchMatches";

const found = (text: string, words: string) =>
  splitMatches(text, words)
    .filter((each) => each.isFound)
    .map((each) => each.text);

test("words are marked whatever their case and accents", () => {
  expect(found("Énergie et ENERGIE, 𝒳 énergies", "energie")).toEqual(["Énergie", "ENERGIE", "énergie"]);
  expect(found("Le cœur de l’été", "ete")).toEqual(["été"]);
});

test("each word is marked for itself, and words that meet are one mark", () => {
  expect(found("budget annuel", "annuel budget")).toEqual(["budget", "annuel"]);
  expect(found("ababa", "aba")).toEqual(["ababa"]);
});

test("the pieces of any text are the text, whatever is looked for", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, words) => {
      expect(
        splitMatches(text, words)
          .map((each) => each.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test("a word that stands in the text is always marked", () => {
  const word = fc.stringMatching(/^[a-zé]{1,6}$/);
  fc.assert(
    fc.property(fc.string(), word, fc.string(), (before, each, after) => {
      expect(found(`${before} ${each} ${after}`, each)).not.toEqual([]);
    }),
  );
});
