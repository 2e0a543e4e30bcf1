import { expect, test } from "vitest";
import { findMark, listMarks } from "../../../src/conversation/citations/citationMarks";
import type { Turn } from "../../../src/conversation/turns";
import { told, turnOf } from "../fixtures";

const BOXES = [{ page: 5, width: 600, height: 800, rects: [], label: "v" }];
const turn = turnOf(
  told([
    ["", "One.", [1]],
    [" ", "Two.", [2]],
  ]),
);

test("each citation is a mark with the passage around it", () => {
  expect(listMarks(turn)).toMatchObject([
    {
      key: "m1:1",
      document: "d1",
      tone: "pin",
      n: 1,
      page: 3,
      start: 120,
      end: 140,
      passage: { start: 100, end: 400 },
    },
    { key: "m1:2", n: 2 },
  ]);
});

test("a cited row brings the heads of its table, and a passage that is only offered comes after what is cited", () => {
  const [first, second] = turn.citations.map((each) => ({ ...each, heads: BOXES }));
  const sentences = turn.sentences.map((each) => ({ ...each, citations: [2], suggested: [1] }));
  const marks = listMarks({ ...turn, sentences, citations: [first, second] as typeof turn.citations });
  expect(marks).toMatchObject([
    { n: 2, heads: BOXES },
    { n: 1, heads: BOXES },
  ]);
});

test("passages are stepped through in the order in which they are shown", () => {
  const passages = [2, 1].map(
    (n) => ({ n, text: "", lit: [], rows: [], lit_rows: [] }) as unknown as Turn["passages"][0],
  );
  expect(listMarks({ ...turn, passages }).map(({ n }) => n)).toEqual([2, 1]);
});

test("a citation whose evidence is not known has no passage", () => {
  expect(listMarks({ ...turn, evidence: [] })[0]?.passage).toBeNull();
});

test("what an answer lights by itself is marked by its importance, where its document is known", () => {
  const lit: Turn = {
    ...turn,
    highlights: [
      { document: "d9", evidence: null, importance: "low", boxes: BOXES },
      { document: null, evidence: 7, importance: "medium", boxes: [] },
      { document: null, evidence: null, importance: "high", boxes: BOXES },
    ],
  };
  expect(listMarks(lit).slice(2)).toMatchObject([
    { document: "d9", tone: "low", page: 5, n: null, boxes: BOXES },
    { document: "d1", tone: "medium", page: 3, start: 100, end: 400 },
  ]);
});

test("the same turn has the same marks, so that nothing is drawn again for nothing", () => {
  expect(listMarks(turn)).toBe(listMarks(turn));
});

test("of a passage that is shown as an answer what answers is lit, within the passage alone", () => {
  const [first, second] = turn.citations;
  if (!first || !second) throw new Error("There are two citations.");
  const about = { document: "d1", title: "", name: "", page: 3, last_page: 3, label: "", headings: [], lead: "" };
  const table = { inner_headings: [], heads: [], rows: [], lit_rows: [], part_of: 0, part: "", lines: null, path: "" };
  const shown = { ...about, ...table, n: 1, start: 120, end: 140, form: "text" as const, text: "One two." };
  const lit: [number, number][] = [
    [122, 125],
    [130, 132],
  ];
  const passages = [
    { ...shown, lit: [[0, 3]] as [number, number][], more: false },
    { ...shown, n: 2, lit: [], more: true },
  ];
  const answered: Turn = { ...turn, passages, citations: [{ ...first, lit }, second] };
  expect(listMarks(answered)).toMatchObject([
    {
      n: 1,
      start: 122,
      end: 125,
      further: [{ start: 130, end: 132 }],
      passage: { start: 120, end: 140 },
      quote: "One",
    },
  ]);
  expect(findMark(answered, 2)).toMatchObject({ key: "m1:2", passage: { start: 120, end: 140 } });
  expect(findMark(answered, 3)).toBeNull();
});

test("a mark of rows has their cells under their heads, whether a model wrote the answer or not", () => {
  const rows = [{ heads: ["", "Q3"], cells: ["Police", "1517"], note: "" }];
  const citations = turn.citations.map((each) => ({ ...each, rows }));
  expect(listMarks({ ...turn, citations })[0]?.rows).toEqual(rows);
  const shown = {
    n: 1,
    text: "",
    lit: [],
    heads: [
      ["", "2024"],
      ["", "Q3"],
    ],
    rows: [
      ["Fire", "9"],
      ["Police", "1517"],
    ],
  };
  const passages = [{ ...shown, lit_rows: [1] }] as unknown as Turn["passages"];
  expect(listMarks({ ...turn, passages })[0]?.rows).toEqual([
    { heads: ["", "2024 Q3"], cells: ["Police", "1517"], note: "" },
  ]);
});
