import { expect, test } from "vitest";
import {
  countVerified,
  findOtherWords,
  getVerdict,
  nameVerdict,
  selectCited,
  summarizeVerdicts,
} from "../../../src/conversation/citations/verdicts";
import { createTranslate } from "../../../src/i18n";
import { citation, type Part, sentence, told, turnOf } from "../fixtures";

const [en, fr] = [createTranslate("en"), createTranslate("fr")];
const NBSP = "\u00a0";
const ALL: Part[] = [
  ["", "# Head"],
  ["\n\n", "A.", [1]],
  [" ", "B.", [1], "verified", { basis: "quote" }],
  [" ", "C.", [2], "partial"],
  [" ", "D.", [2], "contradicted"],
  [" ", "E.", [], "unsupported"],
  [" ", "F.", [3], "unchecked"],
  [" ", "G.", [3], "unchecked", { checking: true }],
  [" ", "The sources do not say.", [], null, { silent: true }],
];

function summary(t: typeof en, parts: Part[]): string {
  return summarizeVerdicts(t, turnOf(told(parts).slice(0, -1)))
    .map(({ words }) => words)
    .join(", ");
}

test("the tally counts what was judged: no headings, nothing that says that the sources are silent", () => {
  expect(countVerified(turnOf(told(ALL).slice(0, -1)))).toEqual({ verified: 2, judged: 7 });
});

test("an answer sums up in one line, the worst first after what holds", () => {
  expect(summary(en, ALL)).toBe(
    "2 of 7 sentences verified, 1 contradicted, 1 not found, 1 partly supported, 1 not checked, 1 being checked",
  );
  expect(summary(fr, ALL)).toBe(
    "2 phrases vérifiées sur 7, 1 contredite, 1 introuvable, 1 appuyée en partie, 1 non vérifiée, 1 en cours de vérification",
  );
  expect(summary(en, [["", "A.", [1]]])).toBe("1 of 1 sentence verified");
  expect(summary(en, [["", "# Head"]])).toBe("");
});

test("an answer of quotations alone says that they are quoted", () => {
  const quoted: Part[] = [
    ["", "A.", [1], "verified", { basis: "quote" }],
    [" ", "B.", [1], "verified", { basis: "quote" }],
  ];
  expect(summary(en, quoted)).toBe("2 sentences quoted");
  expect(summary(fr, quoted)).toBe("2 phrases citées mot pour mot");
  expect(summary(en, [...quoted, [" ", "C.", [2], "partial"]])).toBe("2 of 3 sentences verified, 1 partly supported");
});

test("what is being checked is neither verified nor unchecked", () => {
  expect(getVerdict(sentence("A.", [1], "unchecked", 0, { checking: true }))).toBe("checking");
  expect(getVerdict(sentence("A.", [1], "unchecked", 0))).toBe("unchecked");
  expect(getVerdict(sentence("A?", [], null, 0))).toBeNull();
});

test("what is verified says by what: word for word, by the judge, by a calculation", () => {
  const by = (basis: "quote" | "judge" | "computed" | null) => sentence("A.", [1], "verified", 0, { basis });
  expect((["quote", "judge", "computed", null] as const).map((basis) => nameVerdict(en, by(basis)))).toEqual([
    "quoted word for word",
    "verified",
    "calculated",
    "verified",
  ]);
  expect(nameVerdict(fr, by("quote"))).toBe("citée mot pour mot");
  expect(nameVerdict(fr, sentence("A.", [1], "contradicted", 0))).not.toContain(NBSP);
});

test("a passage that is only offered is no source of the answer", () => {
  const turn = turnOf(told([["", "A.", [1], "unsupported", { suggested: [4] }]]));
  const offered = { ...turn, citations: [...turn.citations, citation(4)] };
  expect(selectCited(offered).map(({ n }) => n)).toEqual([1]);
});

test("a contradicted sentence shows its citation's quote where the source's words are not told", () => {
  const cited = { ...citation(1), quote: "## Fees\nThe fee is\n40 euros." };
  const said = sentence("The fee is 90 euros.", [1], "contradicted", 0);
  expect(findOtherWords(said, [cited])).toEqual({ words: "Fees The fee is 40 euros.", n: 1 });
  const { words } = findOtherWords(said, [{ ...cited, quote: "word ".repeat(200) }]);
  expect(words.length).toBeLessThan(310);
  expect(words.endsWith("…")).toBe(true);
  expect(findOtherWords({ ...said, citations: [] }, [cited])).toEqual({ words: "", n: null });
});
