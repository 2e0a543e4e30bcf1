/** Where the words of a sentence stand that its sources do not support. */
import type { Sentence } from "../api/shapes";
import type { Span } from "./bare";
import { formOf } from "./forms";

/** What may stand between two words: Markdown's marks of emphasis and code are not told by whoever names the words. */
const BETWEEN = "[\\s*_`~]+";
const SPECIAL = /[.*+?^${}()|[\]\\/]/g;

/** The places of a sentence's unsupported words in its text, in order, each character once. */
export function looseIn(sentence: Sentence, text: string): Span[] {
  const form = formOf(sentence);
  // Of a sentence that nothing supports all words are marked.
  if (form !== "partial" && form !== "contradicted") return [];
  const found = (sentence.unsupported ?? []).map((words) => placeOf(words, text)).filter((span) => span !== null);
  const joined: Span[] = [];
  for (const span of found.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push(span);
  }
  return joined;
}

function placeOf(words: string, text: string): Span | null {
  const parts = words.split(new RegExp(BETWEEN)).filter(Boolean);
  if (!parts.length) return null;
  const pattern = parts.map((part) => part.replace(SPECIAL, "\\$&").replace(/['’]/g, "['’]")).join(BETWEEN);
  // Whole words where they are: "10" is not the end of "2010".
  const match = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  const any = match ?? new RegExp(pattern, "iu").exec(text);
  return any && { start: any.index, end: any.index + any[0].length };
}
