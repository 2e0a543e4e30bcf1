/** An answer as people paste it: its words with numbers, and what each number stands for. */
import type { Citation } from "../api/shapes";
import { isLive } from "../sites";
import type { Say } from "../words";
import type { Turn } from "./turns";

/** The answer with footnotes: `[1] Title, p. 12: “quote”`, with its address for a page of the web. Its Markdown is kept. */
export function withFootnotes(turn: Turn, say: Say): string {
  const cited = new Set(turn.sentences.flatMap((each) => each?.citations ?? []));
  const notes = turn.citations.filter((each) => cited.has(each.n)).map((each) => footnote(each, say));
  return [turn.text.trim(), ...(notes.length ? [notes.join("\n")] : [])].join("\n\n");
}

/** The same without Markdown's marks, for places that show them as they are. */
export function asPlain(text: string): string {
  return text
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1");
}

function footnote({ n, title, page, quote, url }: Citation, say: Say): string {
  const named = isLive(url) ? `${title}, ${url}` : title;
  const values = { n, title: named, page: page ?? 0, quote: quote.replace(/\s+/g, " ").trim() };
  return say(page ? "conversation.footnote" : "conversation.footnoteNoPage", values);
}
