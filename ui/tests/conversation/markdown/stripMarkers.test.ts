import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sentence } from "../../../src/api/types";
import { stripMarkers } from "../../../src/conversation/markdown/stripMarkers";
import { answerOf, sentence, someParts } from "../fixtures";

function saying(text: string, citations: number[], start = 0): Sentence {
  return sentence(text, citations, "verified", start);
}

test("the bare text is the answer without its markers, and each sentence is where it says, whatever its characters", () => {
  fc.assert(
    fc.property(someParts, (parts) => {
      const { answer, sentences } = answerOf(parts);
      const made = stripMarkers(answer, sentences);
      expect(made.text).toBe(parts.map(([lead, text]) => lead + text).join(""));
      for (const each of made.placed) expect(made.text.slice(each.start, each.end)).toBe(each.sentence.text);
      expect(made.placed).toHaveLength(sentences.length);
    }),
  );
});

test("a marker that is cut anywhere shows nothing of itself", () => {
  const whole = "It is high. [3] [12]";
  for (let length = 11; length <= whole.length; length++) {
    expect(stripMarkers(whole.slice(0, length), [saying("It is high.", [3, 12])], true).text).toBe("It is high.");
  }
});

test("a marker that begins before its sentence is known waits to be seen", () => {
  expect(stripMarkers("It is high. [1", [], true).text).toBe("It is high.");
  expect(stripMarkers("It is high. [1", [], false).text).toBe("It is high. [1");
});

test("numbers in brackets that are not a sentence's own stay", () => {
  expect(stripMarkers("See [1] there. [2] [3] on", [saying("See [1] there.", [2])]).text).toBe("See [1] there. [3] on");
});

test("a sentence that reaches beyond the text, or into the one before, is left alone", () => {
  const sentences = [saying("One.", []), saying("e. Two", [], 2), saying("Far.", [], 40)];
  expect(stripMarkers("One. Two.", sentences).placed.map(({ index }) => index)).toEqual([0]);
});
