/** The verdicts on the sentences of an answer, as the page shows and counts them. */
import type { Citation, Sentence, Support } from "../../api/types";
import type { CountKey, MessageKey, Translate } from "../../i18n";
import type { Turn } from "../turns";
import { areQuoted } from "./verdictText";

/** A verdict, or that it is being checked. */
export type DisplayedVerdict = Support | "checking";

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
