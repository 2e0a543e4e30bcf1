/** The verdicts on the sentences of an answer, as the page shows and counts them. */
import type { Citation, Sentence, Support } from "../../api/types";
import { type CountKey, createTranslate, type MessageKey, type Translate } from "../../i18n";
import { tidyQuote } from "../../text/quotes";
import type { Turn } from "../turns";
import { areQuoted } from "./verdictText";

/** A verdict, or that it is being checked. */
export type DisplayedVerdict = Support | "checking";

/** Characters of a quote beside a contradicted sentence. */
const MAX_QUOTE = 300;

const NAMES: Record<DisplayedVerdict, MessageKey> = {
  verified: "conversation.verified",
  partial: "conversation.partial",
  contradicted: "conversation.contradicted",
  unsupported: "conversation.unsupported",
  unchecked: "conversation.unchecked",
  checking: "conversation.checking",
};
const BASES: Record<NonNullable<Sentence["basis"]>, MessageKey> = {
  quote: "conversation.basis.quote",
  judge: "conversation.verified",
  computed: "conversation.basis.computed",
};
/** The verdicts that a summary counts besides the verified ones, the worst first. */
const SUMMARY_ORDER: [DisplayedVerdict, CountKey][] = [
  ["contradicted", "conversation.summed.contradicted"],
  ["unsupported", "conversation.summed.unsupported"],
  ["partial", "conversation.summed.partial"],
  ["unchecked", "conversation.summed.unchecked"],
  ["checking", "conversation.summed.checking"],
];

/** Return the verdict to show for a sentence; null if it makes no claim. */
export function getVerdict({ support, checking }: Sentence): DisplayedVerdict | null {
  return support && checking ? "checking" : support;
}

/** Name the verdict on a sentence; for a verified one, what it rests on. */
export function nameVerdict(t: Translate, sentence: Sentence): string {
  const form = getVerdict(sentence) ?? "unsupported";
  return t(form === "verified" && sentence.basis ? BASES[sentence.basis] : NAMES[form]);
}

// The reasons are in the language of the answer, the page is in the reader's.
const OTHERWISE = [createTranslate("en"), createTranslate("fr")].map((t) => t("conversation.contradicted"));

/** Select the reasons of a verdict that tell more than its name and the source's words, which stand beside them. */
export function selectReasons({ support, reasons }: Sentence): string[] {
  if (support !== "contradicted") return reasons;
  return reasons.filter((each) => !OTHERWISE.some((name) => each.startsWith(name)));
}

/** A part of the summary: how many sentences have this verdict. */
export interface VerdictCount {
  form: DisplayedVerdict;
  words: string;
}

/** Count the sentences that make a claim, and the verified ones among them. */
export function countVerified({ sentences }: Pick<Turn, "sentences">): { verified: number; judged: number } {
  const judged = sentences.map((each) => each && getVerdict(each)).filter((form) => form);
  return { verified: judged.filter((form) => form === "verified").length, judged: judged.length };
}

/** Summarize the verdicts of an answer. */
export function summarizeVerdicts(t: Translate, turn: Pick<Turn, "sentences">): VerdictCount[] {
  const { verified, judged } = countVerified(turn);
  if (!judged) return [];
  if (areQuoted(turn.sentences)) return [{ form: "verified", words: t.count("conversation.summed.quoted", judged) }];
  const forms = turn.sentences.map((each) => each && getVerdict(each));
  const others = SUMMARY_ORDER.map(([form, words]) => ({
    form,
    words,
    n: forms.filter((each) => each === form).length,
  }));
  return [
    { form: "verified", words: describeVerified(t, verified, judged) },
    ...others.filter(({ n }) => n).map(({ form, words, n }) => ({ form, words: t.count(words, n) })),
  ];
}

function describeVerified(t: Translate, verified: number, judged: number): string {
  if (judged === 1) return t("conversation.summed.only", { verified });
  return t.count("conversation.summed.verified", verified, { judged });
}

/** Select the citations that an answer makes, without those that are only suggested. */
export function selectCited({ sentences, citations }: Pick<Turn, "sentences" | "citations">): Citation[] {
  const made = new Set(sentences.flatMap((each) => each?.citations ?? []));
  const offered = new Set(sentences.flatMap((each) => each?.suggested ?? []));
  return citations.filter(({ n }) => made.has(n) || !offered.has(n));
}

/** Format the words of a source on one line; the cells of a table's row are separated by dots. */
export function formatSource(source: string): string {
  return source.replaceAll(" | ", " · ").replace(/\s+/g, " ").trim();
}

/**
 * Find what a source says instead of a contradicted sentence, and the citation that says it: the whole sentence of the
 * source if the citation has it, else the words that differ, else the quote.
 */
export function findOtherWords(
  sentence: Sentence,
  citations: readonly Citation[],
): { words: string; n: number | null } {
  const words = formatSource(sentence.source);
  const cited = sentence.citations.flatMap((n) => citations.find((each) => each.n === n) ?? []);
  const saying = words ? cited.find(({ quote }) => tidyQuote(quote).includes(words)) : undefined;
  const n = (saying ?? cited[0])?.n ?? null;
  if (!words) return { words: shorten(formatSource(tidyQuote(cited[0]?.quote ?? ""))), n };
  if (!saying || saying.rows.length || saying.path) return { words, n };
  const split = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(tidyQuote(saying.quote));
  const [whole, ...others] = [...split].filter(({ segment }) => segment.includes(words));
  return { words: whole && !others.length ? whole.segment.trim() : words, n };
}

function shorten(quote: string): string {
  return quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE).trimEnd()}…` : quote;
}
