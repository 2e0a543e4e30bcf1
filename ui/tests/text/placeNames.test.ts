import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { nameTextPlace } from "../../src/text/placeNames";

const [en, fr] = [createTranslate("en"), createTranslate("fr")];

test("a place in a text is named by its share of it", () => {
  expect(nameTextPlace(en, 4242, 10_000)).toBe("42% into the text");
  expect(nameTextPlace(fr, 4242, 10_000).replace(/\s/g, " ")).toBe("à 42 % du texte");
  // Neither the first percent nor the last is the beginning or the end.
  expect(nameTextPlace(en, 400, 1_000_000)).toBe("1% into the text");
  expect(nameTextPlace(en, 9_999, 10_000)).toBe("99% into the text");
});

test("the beginning needs no length, and any other place does", () => {
  expect([nameTextPlace(en, 0, null), nameTextPlace(fr, 0, null)]).toEqual(["at the beginning", "au début"]);
  expect(nameTextPlace(en, 4242, null)).toBe("");
  // The text is shorter since: the place is unknown.
  expect(nameTextPlace(en, 4242, 4000)).toBe("");
});
