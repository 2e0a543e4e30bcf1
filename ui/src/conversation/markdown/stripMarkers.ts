/** Remove the citation markers that the server writes after each sentence of an answer. */
import type { Sentence } from "../../api/types";
import { toUtf16Index } from "../../text/codePoints";
import { closeMarkdown } from "./closeMarkdown";
import { findUnsupportedWords } from "./unsupportedWords";

export interface Span {
  start: number;
  end: number;
}

/** A sentence and its position in the stripped text, in UTF-16 units. `index` is its index in the turn. */
export interface PlacedSentence extends Span {
  index: number;
  sentence: Sentence;
  /** The positions of its unsupported words. */
  unsupported: Span[];
}

export interface StrippedText {
  text: string;
  placed: PlacedSentence[];
}

/** A marker that is still being written at the end of the text. */
const PARTIAL_MARKER = / ?\[\d{0,4}$/;

/**
 * Remove the markers from a text, and return it with the positions of its sentences.
 *
 * Markers are removed before Markdown is parsed: they could become cells of a table or links of a hostile definition,
 * or keep a code block open.
 */
export function stripMarkers(
  whole: string,
  sentences: readonly (Sentence | undefined)[],
  isRunning = false,
): StrippedText {
  const text = isRunning ? whole.replace(PARTIAL_MARKER, "") : whole;
  const placed: PlacedSentence[] = [];
  let made = "";
  let at = 0;
  for (const [index, sentence] of sentences.entries()) {
    if (!sentence) continue;
    const start = toUtf16Index(whole, sentence.start);
    const end = Math.min(toUtf16Index(whole, sentence.end), text.length);
    if (start < at || end <= start) continue;
    made += text.slice(at, end);
    const from = made.length - (end - start);
    const loose = findUnsupportedWords(sentence, made.slice(from)).map((each) => ({
      start: from + each.start,
      end: from + each.end,
    }));
    placed.push({ index, start: from, end: made.length, sentence, unsupported: loose });
    at = end + measureMarkers(text.slice(end), writeMarkers(sentence));
  }
  const rest = text.slice(at);
  return { text: made + (isRunning ? closeMarkdown(rest) : rest), placed };
}

/** Write the markers of a sentence as the server does. */
export function writeMarkers(sentence: Sentence): string {
  return [...new Set(sentence.citations)].map((n) => ` [${n}]`).join("");
}

/** Measure how much of `rest` is these markers: all of them, or their beginning if the text ends in them. */
function measureMarkers(rest: string, expected: string): number {
  if (rest.startsWith(expected)) return expected.length;
  return expected.startsWith(rest) ? rest.length : 0;
}
