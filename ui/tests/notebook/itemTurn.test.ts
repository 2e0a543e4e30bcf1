import { expect, test } from "vitest";
import { findLitWords, makeItemTurn, makePassageMark } from "../../src/notebook/itemTurn";
import type { NotebookItem } from "../../src/notebook/notebookStore";

const citation = (document: string, more = {}) => ({
  ...{ n: 1, evidence: 0, document, title: document.toUpperCase(), kind: "pdf", url: null, page: 2, label: "" },
  ...{
    quote: "Words.",
    start: 3,
    end: 9,
    score: 1,
    boxes: [],
    lit: [],
    heads: [],
    rows: [],
    name: "",
    lines: null,
    path: "",
  },
  ...more,
});
const item = (more: object) =>
  ({
    id: "i",
    kind: "passage",
    text: "Words.",
    question: "",
    sentences: [],
    citations: [],
    lost: [],
    ...more,
  }) as unknown as NotebookItem;

test("a kept passage opens its source at exactly its characters", () => {
  const mark = makePassageMark(item({ citations: [citation("d")] }));
  expect(mark).toMatchObject({ document: "d", start: 3, end: 9, page: 2, quote: "Words.", tone: "pin" });
  expect(mark?.key.startsWith("found:")).toBe(true);
  expect(makePassageMark(item({}))).toBeNull();
});

test("marks of a kept answer belong to no conversation", () => {
  expect(makeItemTurn(item({ kind: "answer" })).id).toBe("found:kept-i");
});

test("the words of a kept passage that answered are found in its text, if it stands so in the document", () => {
  const kept = { text: "Words.", citations: [citation("d", { lit: [[4, 6]] })] };
  expect(findLitWords(item(kept))).toEqual([[1, 3]]);
  expect(findLitWords(item({ ...kept, text: "Wo-\nrds." }))).toEqual([]);
  expect(findLitWords(item({ text: "Words." }))).toEqual([]);
});
