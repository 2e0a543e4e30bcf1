/** An answer's text without the markers of its citations, which the server puts after each sentence. */
import type { Sentence } from "../api/shapes";
import { unitAt } from "../points";
import { looseIn } from "./loose";
import { mended } from "./mended";

export interface Span {
  start: number;
  end: number;
}

/** A sentence's place in the bare text, in UTF-16 units; `index` is its place in the turn's list. */
export interface Placed extends Span {
  index: number;
  sentence: Sentence;
  /** Where its unsupported words stand. */
  loose: Span[];
}

export interface Bare {
  text: string;
  placed: Placed[];
}

/** Any marker that is being written at the end of the text, whose sentence is not known yet. */
const BEGUN = / ?\[\d{0,4}$/;

/**
 * The bare text and its sentences, from the text as the server tells it and the sentences that are known.
 *
 * Markers are taken out before Markdown is read: they would be cells of a table, links of a hostile definition, or keep
 * a code block from ending.
 */
export function bare(whole: string, sentences: readonly (Sentence | undefined)[], isRunning = false): Bare {
  const text = isRunning ? whole.replace(BEGUN, "") : whole;
  const placed: Placed[] = [];
  let made = "";
  let at = 0;
  for (const [index, sentence] of sentences.entries()) {
    if (!sentence) continue;
    const start = unitAt(whole, sentence.start);
    const end = Math.min(unitAt(whole, sentence.end), text.length);
    if (start < at || end <= start) continue;
    made += text.slice(at, end);
    const from = made.length - (end - start);
    const loose = looseIn(sentence, made.slice(from)).map((each) => ({
      start: from + each.start,
      end: from + each.end,
    }));
    placed.push({ index, start: from, end: made.length, sentence, loose });
    at = end + marked(text.slice(end), markers(sentence));
  }
  const rest = text.slice(at);
  return { text: made + (isRunning ? mended(rest) : rest), placed };
}

/** What the server writes after a sentence. */
export function markers(sentence: Sentence): string {
  return [...new Set(sentence.citations)].map((n) => ` [${n}]`).join("");
}

/** How much of `rest` are these markers: all of them, or their beginning when the text ends in them. */
function marked(rest: string, expected: string): number {
  if (rest.startsWith(expected)) return expected.length;
  return expected.startsWith(rest) ? rest.length : 0;
}
