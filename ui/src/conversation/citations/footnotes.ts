/** The text of an answer for the clipboard: with numbers, verdicts and footnotes. */
import type { Citation } from "../../api/types";
import type { Translate } from "../../i18n";
import { toUtf16Index } from "../../text/codePoints";
import { nameLines } from "../../text/lineNames";
import { abbreviatePage, findLastPage } from "../../text/pageNames";
import { isWebAddress } from "../../text/webAddresses";
import { NotePositions } from "../markdown/notePositions";
import type { Turn } from "../turns";
import { listSourceBrackets } from "./sourceBrackets";
import {
  countVerdicts,
  describeCitation,
  describeEnd,
  describeSentence,
  type Judge,
  nameSentence,
  type Repair,
  type Verdict,
} from "./verdictText";

type Style = "markdown" | "plain";

/** The parts of an answer that concern its verdicts. Answers from before there were judges have none of them. */
interface AnswerVerdicts {
  stopped?: boolean;
  judge?: Judge | null;
  repairs?: readonly Repair[];
  cut?: string | null;
}

/** A replacement in a text. */
interface Change {
  start: number;
  end: number;
  put: string;
}

/** Characters that have a meaning in Markdown. */
const MARKS = /[\\`*_[\]<>|~&#]/g;
const CITED = / ?\[([0-9]{1,9})\]/g;

/**
 * Write the answer with a note after each sentence that is not verified, a count of its verdicts, and its footnotes:
 * `[1] Title, p. 12: “quote” (quoted)`, with the address of a web page. The footnote of a passage has its heading in
 * place of the quote. The Markdown is kept.
 */
export function writeWithFootnotes(turn: Turn, t: Translate, style: Style = "markdown"): string {
  const sentences: readonly (Verdict | undefined)[] = turn.sentences;
  const { judge = null, repairs = [], cut = null }: AnswerVerdicts = turn.answer ?? {};
  // Passages are quotes, so there is no verdict to sum up.
  const sum = [turn.passages.length ? "" : countVerdicts(sentences, judge, t), ...describeEnd(cut, repairs, t)];
  const cited = new Set(turn.sentences.flatMap((each) => each?.citations ?? []));
  const notes = turn.citations
    .filter((each) => cited.has(each.n))
    .map((each) => writeFootnote(turn, each, sentences, t, style));
  const told = sum.filter((each) => each).map((each) => emphasize(each, style));
  return [annotateAnswer(turn, t, style), ...told, notes.join("\n")].filter((each) => each).join("\n\n");
}

/** Remove Markdown's marks, for programs that would show them. */
export function stripMarkdown(text: string): string {
  return text
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1");
}

/** Write the answer's text with its verdicts. No note is put into code; in a table's row it goes into the last cell. */
function annotateAnswer(turn: Turn, t: Translate, style: Style): string {
  const { text } = turn;
  const places = new NotePositions(text);
  const changes = [...moveMarks(turn, places), ...dropRepeatedMarks(turn, places), ...restoreBrackets(turn)];
  const below: string[] = [];
  for (const sentence of turn.sentences) {
    const note = sentence ? describeSentence(sentence, t) : "";
    if (!sentence || !note) continue;
    const [start, end] = [toUtf16Index(text, sentence.start), toUtf16Index(text, sentence.end)];
    const place = end > 0 ? places.note(start, end) : null;
    if (place !== null) changes.push({ start: place, end: place, put: ` ${emphasize(`(${note})`, style)}` });
    else if (sentence.text.trim()) below.push(emphasize(nameSentence(sentence, t), style));
  }
  if (turn.answer?.stopped) {
    const end = text.trimEnd().length;
    const place = places.note(end, end);
    const note = emphasize(`(${t("verdicts.stopped")})`, style);
    if (place !== null && text.trim()) changes.push({ start: place, end: place, put: ` ${note}` });
    else below.push(note);
  }
  const closed = applyChanges(text, changes).trim() + (places.open ? `\n${places.open}` : "");
  return [closed, ...below].filter((each) => each).join("\n\n");
}

/** Move citation marks that would break a code block or a table row to a place where they do not. */
function moveMarks({ text, citations }: Turn, places: NotePositions): Change[] {
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

/** Leave one mark for each passage, after its last sentence. An index in code, such as `argv[1]`, is no mark. */
function dropRepeatedMarks({ text, passages }: Turn, places: NotePositions): Change[] {
  const quoted = new Set(passages.map(({ n }) => n));
  const found = Array.from(text.matchAll(CITED)).filter(
    (each) => quoted.has(Number(each[1])) && places.mark(each.index) !== null,
  );
  return found
    .filter((each, place) => each[1] === found[place + 1]?.[1])
    .map(({ index, 0: mark }) => ({ start: index, end: index + mark.length, put: "" }));
}

function restoreBrackets(turn: Turn): Change[] {
  return listSourceBrackets(turn).map(({ index, bracket }) => ({ start: index, end: index + 1, put: bracket }));
}

function applyChanges(text: string, changes: readonly Change[]): string {
  let [made, at] = ["", 0];
  for (const { start, end, put } of changes.toSorted((a, b) => a.start - b.start)) {
    made += text.slice(at, Math.max(start, at)) + put;
    at = Math.max(end, at);
  }
  return made + text.slice(at);
}

function emphasize(note: string, style: Style): string {
  if (style === "plain") return note;
  return `*${note.replace(MARKS, (sign) => `&#${sign.charCodeAt(0)};`)}*`;
}

/** Write the footnote of a citation. That of a passage has no quote: the answer contains the passage. */
function writeFootnote(
  { passages }: Turn,
  { n, title, page, label, lines, path, quote, url, boxes }: Citation,
  sentences: readonly (Verdict | undefined)[],
  t: Translate,
  style: Style,
): string {
  const passage = passages.find((each) => each.n === n);
  const named = path ? nameLines({ path, lines }) : isWebAddress(url) ? `${title}, ${url}` : title;
  const printed = abbreviatePage(t, { page, label }, findLastPage(boxes));
  const values = { n, title: named, page: printed, quote: quote.replace(/\s+/g, " ").trim() };
  const basis = describeCitation(sentences, n, t);
  let told: string;
  if (passage) {
    const place = [page ? printed : "", passage.headings.at(-1) ?? ""].filter((each) => each).join(", ");
    told = t(place ? "conversation.footnotePlace" : "conversation.footnoteTitle", { ...values, place });
  } else {
    told = t(page ? "conversation.footnote" : "conversation.footnoteNoPage", values);
  }
  return basis ? `${told} ${emphasize(`(${basis})`, style)}` : told;
}
