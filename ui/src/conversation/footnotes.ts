/** An answer as people paste it: its words with numbers and verdicts, and what each number stands for. */
import type { Citation } from "../api/shapes";
import { abbreviatePage } from "../pageNames";
import { unitAt } from "../points";
import { isLive } from "../sites";
import type { Say } from "../words";
import { litWords } from "./passages";
import { Places } from "./placing";
import type { Turn } from "./turns";
import {
  describeCitation,
  describeEnd,
  describeSentence,
  type Judge,
  nameSentence,
  type Repair,
  summarize,
  type Verdict,
} from "./verdicts";

type Style = "markdown" | "plain";

/** What an answer tells of its verdicts as a whole; one from before there were judges has none of it. */
interface Whole {
  stopped?: boolean;
  judge?: Judge | null;
  repairs?: readonly Repair[];
  cut?: string | null;
}

/** Characters of an answer that give way to others. */
interface Change {
  start: number;
  end: number;
  put: string;
}

/** In Markdown these would be marks of their own. */
const MARKS = /[\\`*_[\]<>|~&#]/g;
const CITED = / ?\[([0-9]{1,9})\]/g;

/**
 * The answer with a note after each sentence that is not verified, the sum of its verdicts, and its footnotes:
 * `[1] Title, p. 12: “quote” (quoted)`, with its address for a page of the web. Its Markdown is kept.
 */
export function withFootnotes(turn: Turn, say: Say, style: Style = "markdown"): string {
  const sentences: readonly (Verdict | undefined)[] = turn.sentences;
  const { judge = null, repairs = [], cut = null }: Whole = turn.answer ?? {};
  // Passages are the sources' own words: there is no verdict to sum up.
  const sum = [turn.passages.length ? "" : summarize(sentences, judge, say), ...describeEnd(cut, repairs, say)];
  const cited = new Set(turn.sentences.flatMap((each) => each?.citations ?? []));
  const notes = turn.citations
    .filter((each) => cited.has(each.n))
    .map((each) => footnote(briefly(turn, each), sentences, say, style));
  const told = sum.filter((each) => each).map((each) => emphasised(each, style));
  return [annotated(turn, say, style), ...told, notes.join("\n")].filter((each) => each).join("\n\n");
}

/** The same without Markdown's marks, for places that show them as they are. */
export function asPlain(text: string): string {
  return text
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1");
}

/** The answer's text with its verdicts; no note stands in code, one in a table's row stands in its last cell. */
function annotated(turn: Turn, say: Say, style: Style): string {
  const { text } = turn;
  const places = new Places(text);
  const changes = moved(turn, places);
  const below: string[] = [];
  for (const sentence of turn.sentences) {
    const note = sentence ? describeSentence(sentence, say) : "";
    if (!sentence || !note) continue;
    const [start, end] = [unitAt(text, sentence.start), unitAt(text, sentence.end)];
    const place = end > 0 ? places.note(start, end) : null;
    if (place !== null) changes.push({ start: place, end: place, put: ` ${emphasised(`(${note})`, style)}` });
    else if (sentence.text.trim()) below.push(emphasised(nameSentence(sentence, say), style));
  }
  if (turn.answer?.stopped) {
    const end = text.trimEnd().length;
    const place = places.note(end, end);
    const note = emphasised(`(${say("verdicts.stopped")})`, style);
    if (place !== null && text.trim()) changes.push({ start: place, end: place, put: ` ${note}` });
    else below.push(note);
  }
  const closed = changed(text, changes).trim() + (places.open ? `\n${places.open}` : "");
  return [closed, ...below].filter((each) => each).join("\n\n");
}

/** The marks of citations that stand behind a code block or a row, where they would break it, put where they do not. */
function moved({ text, citations }: Turn, places: Places): Change[] {
  const known = new Set(citations.map(({ n }) => n));
  return Array.from(text.matchAll(CITED)).flatMap((found) => {
    const better = known.has(Number(found[1])) ? places.mark(found.index) : null;
    if (!better || (better.place === found.index && !better.before)) return [];
    const [start, end] = [found.index, found.index + found[0].length];
    if (better.place === start) return { start, end, put: better.before + found[0].trimStart() };
    return [
      { start: better.place, end: better.place, put: found[0] },
      { start, end, put: "" },
    ];
  });
}

function changed(text: string, changes: readonly Change[]): string {
  let [made, at] = ["", 0];
  for (const { start, end, put } of changes.toSorted((a, b) => a.start - b.start)) {
    made += text.slice(at, Math.max(start, at)) + put;
    at = Math.max(end, at);
  }
  return made + text.slice(at);
}

function emphasised(note: string, style: Style): string {
  if (style === "plain") return note;
  return `*${note.replace(MARKS, (sign) => `&#${sign.charCodeAt(0)};`)}*`;
}

/** The citation of a passage with the words that answer alone: the passage itself stands in the answer. */
function briefly({ passages }: Turn, citation: Citation): Citation {
  const passage = passages.find(({ n }) => n === citation.n);
  return { ...citation, quote: (passage && litWords(passage)) || citation.quote };
}

function footnote(
  { n, title, page, label, quote, url }: Citation,
  sentences: readonly (Verdict | undefined)[],
  say: Say,
  style: Style,
): string {
  const named = isLive(url) ? `${title}, ${url}` : title;
  const values = {
    n,
    title: named,
    page: abbreviatePage(say, { page, label }),
    quote: quote.replace(/\s+/g, " ").trim(),
  };
  const basis = describeCitation(sentences, n, say);
  const told = say(page ? "conversation.footnote" : "conversation.footnoteNoPage", values);
  return basis ? `${told} ${emphasised(`(${basis})`, style)}` : told;
}
