/**
 * The verdicts in words, for copied answers.
 *
 * The server has the same words for exported files in `pincite/conversations/verdict_wording.py`; the tests of both read
 * `tests/conversations/verdict_cases.json`.
 */
import type { CountKey, MessageKey, Translate } from "../../i18n";
import { shorten } from "../steps/toolElements";

/** The verdict on a sentence. Answers from before there were bases and judges have fewer fields. */
export interface Verdict {
  text?: string;
  citations?: readonly number[];
  support: string | null;
  basis?: string | null;
  reasons?: readonly string[];
  checking?: boolean;
  unsupported?: readonly string[];
  source?: string;
  computed?: string;
  judge?: string;
}

/** The judge of an answer, with its result on the calibration set if that is known. */
export interface Judge {
  model: string;
  sentences?: number;
  agreed?: number | null;
  passed?: number | null;
  total?: number | null;
}

/** A sentence that was corrected, or removed if `after` is empty. */
export interface Repair {
  before: string;
  after?: string;
  support: string;
  source?: string;
}

const QUOTED = 200; // characters of a quoted source or sentence
const NOTES: Record<string, MessageKey> = {
  partial: "verdicts.partial",
  contradicted: "verdicts.contradicted",
  unsupported: "verdicts.unsupported",
  unchecked: "verdicts.unchecked",
};
const TALLIES: Record<string, MessageKey> = {
  partial: "verdicts.tally.partial",
  contradicted: "verdicts.tally.contradicted",
  unsupported: "verdicts.tally.unsupported",
  unchecked: "verdicts.tally.unchecked",
};
const CUTS: Record<string, MessageKey> = {
  length: "verdicts.cut.length",
  connection: "verdicts.cut.connection",
  repetition: "verdicts.cut.repetition",
  filter: "verdicts.cut.filter",
};
const MISSING: CountKey = "verdicts.missing";
const PASSED: CountKey = "verdicts.passed";

/** Write the note after a sentence; empty if it is verified, where the footnotes say so, or makes no claim. */
export function describeSentence(verdict: Verdict, t: Translate): string {
  if (!verdict.support || verdict.support === "verified") return "";
  if (verdict.checking) return t("verdicts.checking");
  return describeSupport(verdict, t);
}

/** Describe what a verified sentence rests on; empty for any other. */
export function describeBasis({ support, basis, computed, judge }: Verdict, t: Translate): string {
  if (support !== "verified") return "";
  if (basis === "quote") return t("verdicts.quoted");
  if (basis === "computed" && computed) return t("verdicts.computed", { sum: shorten(computed, QUOTED) });
  if (basis === "judge" && judge) return t("verdicts.judged", { judge });
  return t("verdicts.verified");
}

/** Describe the verified sentences that cite a footnote, each basis once. */
export function describeCitation(sentences: readonly (Verdict | undefined)[], n: number, t: Translate): string {
  const citing = sentences.filter((each) => each !== undefined).filter((each) => each.citations?.includes(n));
  const told = citing.map((each) => describeBasis(each, t)).filter((each) => each);
  return [...new Set(told)].join(", ");
}

/** Whether every sentence that claims something is a quotation. */
export function areQuoted(sentences: readonly (Verdict | undefined)[]): boolean {
  const judged = sentences.filter((each) => each?.support);
  return judged.length > 0 && judged.every((each) => each?.support === "verified" && each.basis === "quote");
}

/** Count the verdicts and name the judge; empty if no sentence makes a claim. */
export function countVerdicts(sentences: readonly (Verdict | undefined)[], judge: Judge | null, t: Translate): string {
  const count = (support: string) => sentences.filter((each) => each?.support === support).length;
  const verified = count("verified");
  const rest = Object.entries(TALLIES).map(([support, key]) => ({ key, n: count(support) }));
  const judged = rest.reduce((sum, { n }) => sum + n, verified);
  if (!judged) return "";
  const told = rest.filter(({ n }) => n).map(({ key, n }) => t(key, { n }));
  const first = areQuoted(sentences)
    ? t.count("verdicts.tally.quoted", judged)
    : t.count("verdicts.tally.verified", judged, { verified });
  const tally = [first, ...told].join(", ");
  if (!judge?.sentences) return tally;
  const { model, agreed, passed, total } = judge;
  if (!total || agreed == null || passed == null) return t("verdicts.judgedBy", { tally, judge: model });
  const letPass = passed ? t.count(PASSED, passed) : t("verdicts.passedNone");
  return t("verdicts.judgedByTrusted", { tally, judge: model, agreed, total, passed: letPass });
}

/** Describe how an answer was cut off, and which sentences were corrected or removed. */
export function describeEnd(cut: string | null, repairs: readonly Repair[], t: Translate): string[] {
  const key = CUTS[cut ?? ""];
  return [...(key ? [t(key)] : []), ...repairs.map((repair) => describeRepair(repair, t))];
}

/** Write a note with its sentence, for a note that cannot follow the sentence. */
export function nameSentence(verdict: Verdict, t: Translate): string {
  return t("verdicts.why", { verdict: quoteWords(verdict.text ?? "", t), why: describeSentence(verdict, t) });
}

function describeSupport({ support, unsupported = [], source = "", reasons = [] }: Verdict, t: Translate): string {
  const verdict = t(NOTES[support ?? ""] ?? "verdicts.unchecked");
  let why = "";
  if (support === "contradicted") {
    why = source.trim() ? t("verdicts.source", { words: quoteWords(source, t) }) : reasons.join("; ");
  } else if (support === "partial") {
    const words = unsupported.map((each) => quoteWords(each, t)).join(", ");
    why = words ? t.count(MISSING, unsupported.length, { words }) : reasons.join("; ");
  }
  return why ? t("verdicts.why", { verdict, why }) : verdict;
}

function describeRepair({ before, after = "", support, source = "" }: Repair, t: Translate): string {
  const why = describeSupport({ support, source }, t);
  if (!after.trim()) return t("verdicts.withdrawn", { before: quoteWords(before, t), why });
  return t("verdicts.corrected", { before: quoteWords(before, t), after: quoteWords(after, t), why });
}

function quoteWords(words: string, t: Translate): string {
  return t("verdicts.quote", { words: shorten(words, QUOTED) });
}
