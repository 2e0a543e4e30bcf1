/**
 * The brackets of a source in an answer that quotes it. The server writes a source's `[17, 21]` as `(17, 21)`, since in
 * an answer such brackets are citations. Copied words have the brackets of the source.
 */
import { toUtf16Index } from "../../text/codePoints";
import type { Turn } from "../turns";

/** A bracket of an answer that is another one in the source: its index in the answer. */
export interface SourceBracket {
  index: number;
  bracket: string;
}

/** List the brackets of quoted sentences that the source writes in another form. */
export function listSourceBrackets(turn: Pick<Turn, "text" | "sentences" | "citations" | "passages">): SourceBracket[] {
  const { text, sentences, citations, passages } = turn;
  return sentences.flatMap((sentence) => {
    if (!sentence || !/[()]/.test(sentence.text)) return [];
    const first = toUtf16Index(text, sentence.start);
    const written = text.slice(first, toUtf16Index(text, sentence.end));
    const quotes = sentence.citations.flatMap((n) => [
      ...passages.filter((each) => each.n === n).map((each) => each.text),
      ...citations.filter((each) => each.n === n).map((each) => each.quote),
    ]);
    const source = quotes.map((quote) => findSource(written, quote)).find((each) => each !== null);
    if (!source) return [];
    return Array.from(source, (_, at) => at)
      .filter((at) => source[at] !== written[at])
      .map((at) => ({ index: first + at, bracket: source[at] ?? "" }));
  });
}

/** Find words in a quote that may have other brackets; returns them as the quote writes them. */
function findSource(words: string, quote: string): string | null {
  const at = unify(quote).indexOf(unify(words));
  return at < 0 ? null : quote.slice(at, at + words.length);
}

function unify(text: string): string {
  return text
    .replace(/[[【]/g, "(")
    .replace(/[\]】]/g, ")")
    .replace(/\s/g, " ");
}
