import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { abbreviatePage, joinRuns, listPages, namePage, titlePage } from "../../src/text/pageNames";
import { findPage } from "../../src/viewer/PageNumberField";

const [en, fr] = [createTranslate("en"), createTranslate("fr")];
const plain = { page: 6, label: "" };
const printed = { page: 6, label: "iv" };
const slide = { page: 2, label: "slide 2" };

test("a page is named by its number, by what is printed on it beside that, or as a slide", () => {
  expect([plain, printed, slide].map((each) => namePage(en, each))).toEqual([
    "page 6",
    "page iv (6 in the file)",
    "slide 2",
  ]);
  expect([plain, printed, slide].map((each) => namePage(fr, each))).toEqual([
    "page 6",
    "page iv (6 dans le fichier)",
    "diapositive 2",
  ]);
  expect(namePage(en, { page: null, label: "" })).toBe("");
});

test("what goes over several pages names the first and the last", () => {
  expect([plain, printed, slide].map((each) => namePage(en, each, 7))).toEqual([
    "pages 6–7",
    "page iv (6–7 in the file)",
    "slides 2–7",
  ]);
  expect(namePage(en, plain, 6)).toBe("page 6");
});

test("a name of its own begins with a capital", () => {
  expect([titlePage(en, slide), titlePage(fr, slide), titlePage(en, printed)]).toEqual([
    "Slide 2",
    "Diapositive 2",
    "Page iv (6 in the file)",
  ]);
});

test("a footnote is brief", () => {
  expect([plain, printed, slide].map((each) => abbreviatePage(en, each))).toEqual([
    "p. 6",
    "p. iv (6 in the file)",
    "slide 2",
  ]);
});

test("several pages are told by what is printed on them, slides as slides", () => {
  const label = (page: number, sign = "") => ({ page, label: sign });
  expect(listPages(en, [])).toBe("");
  expect(listPages(en, [label(3)])).toBe("p. 3");
  expect(listPages(en, [label(3), label(4), label(5), label(9)])).toBe("pp. 3–5, 9");
  expect(listPages(en, [label(4, "iv"), label(5, "v"), label(6, "1")])).toBe("pp. iv, v, 1");
  expect(listPages(en, [label(2, "slide 2"), label(3, "slide 3")])).toBe("slides 2, 3");
  expect(listPages(fr, [label(2, "slide 2"), label(3, "slide 3")])).toBe("diapositives 2, 3");
});

test("numbers that follow one another are told as a run", () => {
  expect(joinRuns([1, 2, 3, 5, 7, 8])).toBe("1–3, 5, 7, 8");
  expect(joinRuns([])).toBe("");
});

test("a page is found by what is printed on it, else by its number in the file", () => {
  const sheet = { number: 1, label: "", width: 1, height: 1, start: 0, end: 1 };
  const sheets = [
    { ...sheet, label: "iv" },
    { ...sheet, number: 2 },
    { ...sheet, number: 3, label: "A-1" },
  ];
  expect(["2", "99", "IV", " a-1 ", "0", "x", ""].map((typed) => findPage(typed, sheets))).toEqual([
    2,
    3,
    1,
    3,
    null,
    null,
    null,
  ]);
});

test("a number that is printed on another page than its own means the printed one", () => {
  const sheet = { width: 1, height: 1, start: 0, end: 1 };
  const sheets = ["i", "ii", "1", "2"].map((label, at) => ({ ...sheet, number: at + 1, label }));
  expect(["1", "2", "ii", "4", "9"].map((typed) => findPage(typed, sheets))).toEqual([3, 4, 2, 4, 4]);
});
