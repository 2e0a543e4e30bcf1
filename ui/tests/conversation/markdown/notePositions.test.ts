import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NotePositions } from "../../../src/conversation/markdown/notePositions";

/** The cases of the server's own tests. */
const path = join(import.meta.dirname, "../../../../tests/conversations/placing_cases.json");
const CASES: { name: string; text: string; sentence: string; noted: string | null }[] = JSON.parse(
  readFileSync(path, "utf-8"),
);

test.each(CASES)("a note stands where the server puts it: $name", ({ text, sentence, noted }) => {
  const start = text.indexOf(sentence);
  const place = new NotePositions(text).note(start, start + sentence.length);
  expect(place === null ? null : `${text.slice(0, place)}{}${text.slice(place)}`).toBe(noted);
});

test("a mark behind the end of a code block moves to a line of its own, one in code is none", () => {
  const text = "  ```\n  x [1]\n  ``` [1] [2]\nNext.";
  const places = new NotePositions(text);
  const closing = text.lastIndexOf(" [1]");
  expect(places.mark(text.indexOf(" [1]"))).toBeNull();
  expect(places.mark(closing)).toEqual({ place: closing, before: "\n\n  " });
  expect(places.mark(text.indexOf(" [2]"))).toEqual({ place: text.indexOf(" [2]"), before: "" });
});

test("a place is in the text, whatever it is", () => {
  const texts = fc.array(fc.constantFrom(..."ab`~|-> \n[]1*\\."), { maxLength: 60 }).map((each) => each.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: -3, max: 70 }), fc.integer({ min: -3, max: 70 }), (text, start, end) => {
      const place = new NotePositions(text).note(start, end) ?? 0;
      return place >= 0 && place <= text.length;
    }),
  );
});
