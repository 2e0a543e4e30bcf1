/** Find the words of a sentence that its sources do not support. */
import type { Sentence } from "../../api/types";
import { getVerdict } from "../citations/verdicts";
import type { Span } from "./stripMarkers";

/** What may stand between two words. The server names words without the Markdown marks between them. */
const BETWEEN = "[\\s*_`~]+";
const SPECIAL = /[.*+?^${}()|[\]\\/]/g;

/** Find a sentence's unsupported words in its text, in order and without overlaps. */
export function findUnsupportedWords(sentence: Sentence, text: string): Span[] {
  const form = getVerdict(sentence);
  // A sentence that nothing supports is marked as a whole.
  if (form !== "partial" && form !== "contradicted") return [];
  const found = (sentence.unsupported ?? []).map((words) => findWords(words, text)).filter((span) => span !== null);
  const joined: Span[] = [];
  for (const span of found.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push(span);
  }
  return joined;
}

function findWords(words: string, text: string): Span | null {
  const parts = words.split(new RegExp(BETWEEN)).filter(Boolean);
  if (!parts.length) return null;
  const pattern = parts.map((part) => part.replace(SPECIAL, "\\$&").replace(/['’]/g, "['’]")).join(BETWEEN);
  // Prefer whole words: "10" is not the end of "2010".
  const match = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  const any = match ?? new RegExp(pattern, "iu").exec(text);
  return any && { start: any.index, end: any.index + any[0].length };
}
