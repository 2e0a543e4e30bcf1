/**
 * Verdicts in words, for what is copied.
 *
 * The server has the same words for its files in `pincite/conversations/verdicts.py`; the tests of both read
 * `tests/conversations/verdict_cases.json`.
 */
import type { Count, Key, Say } from "../words";
import { shortened } from "./markup";

/** What is known of a sentence's verdict; answers from before there were bases and judges have less. */
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

/** The judge of an answer, and how it did on the calibration set, where that is known. */
export interface Judge {
  model: string;
  sentences?: number;
  agreed?: number | null;
  passed?: number | null;
  total?: number | null;
}

/** A sentence that was corrected, or withdrawn where nothing came after it. */
export interface Repair {
  before: string;
  after?: string;
  support: string;
  source?: string;
}

const QUOTED = 200; // characters of a source's words, or of a sentence that is named
const NOTES: Record<string, Key> = {
  partial: "verdicts.partial",
  contradicted: "verdicts.contradicted",
  unsupported: "verdicts.unsupported",
  unchecked: "verdicts.unchecked",
};
const TALLIES: Record<string, Key> = {
  partial: "verdicts.tally.partial",
  contradicted: "verdicts.tally.contradicted",
  unsupported: "verdicts.tally.unsupported",
  unchecked: "verdicts.tally.unchecked",
};
const CUTS: Record<string, Key> = {
  length: "verdicts.cut.length",
  connection: "verdicts.cut.connection",
  repetition: "verdicts.cut.repetition",
  filter: "verdicts.cut.filter",
};
const MISSING: Count = "verdicts.missing";
const PASSED: Count = "verdicts.passed";

/** The note after a sentence; empty for a verified one, whose footnotes tell, and where nothing is claimed. */
export function describeSentence(verdict: Verdict, say: Say): string {
  if (!verdict.support || verdict.support === "verified") return "";
  if (verdict.checking) return say("verdicts.checking");
  return describeSupport(verdict, say);
}

/** What a verified sentence rests on; empty for any other. */
export function describeBasis({ support, basis, computed, judge }: Verdict, say: Say): string {
  if (support !== "verified") return "";
  if (basis === "quote") return say("verdicts.quoted");
  if (basis === "computed" && computed) return say("verdicts.computed", { sum: shortened(computed, QUOTED) });
  if (basis === "judge" && judge) return say("verdicts.judged", { judge });
  return say("verdicts.verified");
}

/** What a footnote says of the verified sentences that cite it, each thing once. */
export function describeCitation(sentences: readonly (Verdict | undefined)[], n: number, say: Say): string {
  const citing = sentences.filter((each) => each !== undefined).filter((each) => each.citations?.includes(n));
  const told = citing.map((each) => describeBasis(each, say)).filter((each) => each);
  return [...new Set(told)].join(", ");
}

/** How many sentences have which verdict, and who judged them; empty where nothing is claimed. */
export function summarize(sentences: readonly (Verdict | undefined)[], judge: Judge | null, say: Say): string {
  const count = (support: string) => sentences.filter((each) => each?.support === support).length;
  const verified = count("verified");
  const rest = Object.entries(TALLIES).map(([support, key]) => ({ key, n: count(support) }));
  const judged = rest.reduce((sum, { n }) => sum + n, verified);
  if (!judged) return "";
  const told = rest.filter(({ n }) => n).map(({ key, n }) => say(key, { n }));
  const tally = [say.count("verdicts.tally.verified", judged, { verified }), ...told].join(", ");
  if (!judge?.sentences) return tally;
  const { model, agreed, passed, total } = judge;
  if (!total || agreed == null || passed == null) return say("verdicts.judgedBy", { tally, judge: model });
  const letPass = passed ? say.count(PASSED, passed) : say("verdicts.passedNone");
  return say("verdicts.judgedByTrusted", { tally, judge: model, agreed, total, passed: letPass });
}

/** What else there is to tell of an answer: how it was cut, and which sentences were corrected or withdrawn. */
export function describeEnd(cut: string | null, repairs: readonly Repair[], say: Say): string[] {
  const key = CUTS[cut ?? ""];
  return [...(key ? [say(key)] : []), ...repairs.map((repair) => describeRepair(repair, say))];
}

/** A note that cannot stand behind its sentence: the sentence, and the note. */
export function nameSentence(verdict: Verdict, say: Say): string {
  return say("verdicts.why", { verdict: quote(verdict.text ?? "", say), why: describeSentence(verdict, say) });
}

function describeSupport({ support, unsupported = [], source = "", reasons = [] }: Verdict, say: Say): string {
  const verdict = say(NOTES[support ?? ""] ?? "verdicts.unchecked");
  let why = "";
  if (support === "contradicted") {
    why = source.trim() ? say("verdicts.source", { words: quote(source, say) }) : reasons.join("; ");
  } else if (support === "partial") {
    const words = unsupported.map((each) => quote(each, say)).join(", ");
    why = words ? say.count(MISSING, unsupported.length, { words }) : reasons.join("; ");
  }
  return why ? say("verdicts.why", { verdict, why }) : verdict;
}

function describeRepair({ before, after = "", support, source = "" }: Repair, say: Say): string {
  const why = describeSupport({ support, source }, say);
  if (!after.trim()) return say("verdicts.withdrawn", { before: quote(before, say), why });
  return say("verdicts.corrected", { before: quote(before, say), after: quote(after, say), why });
}

function quote(words: string, say: Say): string {
  return say("verdicts.quote", { words: shortened(words, QUOTED) });
}
