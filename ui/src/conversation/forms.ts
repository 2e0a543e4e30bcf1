/** How far the sources bear a sentence out: its form on the page, its name, and how the sentences of an answer sum up. */
import type { Citation, Sentence, Support } from "../api/shapes";
import type { Count, Key, Say } from "../words";
import type { Turn } from "./turns";

/** A verdict, or that one is awaited. */
export type Form = Support | "checking";

const NAMES: Record<Form, Key> = {
  verified: "conversation.verified",
  partial: "conversation.partial",
  contradicted: "conversation.contradicted",
  unsupported: "conversation.unsupported",
  unchecked: "conversation.unchecked",
  checking: "conversation.checking",
};
const BASES: Record<NonNullable<Sentence["basis"]>, Key> = {
  quote: "conversation.basis.quote",
  judge: "conversation.verified",
  computed: "conversation.basis.computed",
};
/** What a summary says besides the verified sentences, the worst first. */
const SUMMED: [Form, Count][] = [
  ["contradicted", "conversation.summed.contradicted"],
  ["unsupported", "conversation.summed.unsupported"],
  ["partial", "conversation.summed.partial"],
  ["unchecked", "conversation.summed.unchecked"],
  ["checking", "conversation.summed.checking"],
];

/** The form of a sentence's mark; null where nothing is claimed. */
export function formOf({ support, checking }: Sentence): Form | null {
  return support && checking ? "checking" : support;
}

/** A sentence's verdict in words: what is verified says by what. */
export function verdictOf(say: Say, sentence: Sentence): string {
  const form = formOf(sentence) ?? "unsupported";
  return say(form === "verified" && sentence.basis ? BASES[sentence.basis] : NAMES[form]);
}

/** A part of the summary: how many sentences have this form, in words. */
export interface Summed {
  form: Form;
  words: string;
}

/** How many of a turn's sentences claim something, and how many of those hold. */
export function tally({ sentences }: Pick<Turn, "sentences">): { verified: number; judged: number } {
  const judged = sentences.map((each) => each && formOf(each)).filter((form) => form);
  return { verified: judged.filter((form) => form === "verified").length, judged: judged.length };
}

/** An answer's verdicts: how many sentences are verified, and how many are anything else. */
export function summedUp(say: Say, turn: Pick<Turn, "sentences">): Summed[] {
  const { verified, judged } = tally(turn);
  if (!judged) return [];
  const forms = turn.sentences.map((each) => each && formOf(each));
  const others = SUMMED.map(([form, words]) => ({ form, words, n: forms.filter((each) => each === form).length }));
  return [
    { form: "verified", words: verifiedOf(say, verified, judged) },
    ...others.filter(({ n }) => n).map(({ form, words, n }) => ({ form, words: say.count(words, n) })),
  ];
}

function verifiedOf(say: Say, verified: number, judged: number): string {
  if (judged === 1) return say("conversation.summed.only", { verified });
  return say.count("conversation.summed.verified", verified, { judged });
}

/** The citations that an answer makes, without those that are only offered. */
export function madeCitations({ sentences, citations }: Pick<Turn, "sentences" | "citations">): Citation[] {
  const made = new Set(sentences.flatMap((each) => each?.citations ?? []));
  const offered = new Set(sentences.flatMap((each) => each?.suggested ?? []));
  return citations.filter(({ n }) => made.has(n) || !offered.has(n));
}

/** What a source says, as it is read: the cells of a table's row stand apart, without bars. */
export function sourceWords(source: string): string {
  return source.replaceAll(" | ", " · ").replace(/\s+/g, " ").trim();
}
