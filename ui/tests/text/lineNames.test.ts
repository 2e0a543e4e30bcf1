import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { joinLines, nameLines, nameLinesShortly, titleLines } from "../../src/text/lineNames";

test("lines of a file are named by its path, or shortly by its name", () => {
  expect(nameLines({ path: "src/app.py", lines: [12, 20] })).toBe("src/app.py:12–20");
  expect(nameLines({ path: "app.py", lines: [7, 7] })).toBe("app.py:7");
  expect(nameLines({ path: "src/app.py", lines: null })).toBe("src/app.py");
  expect(nameLinesShortly({ path: "src/deep/app.py", lines: [1, 2] })).toBe("app.py:1–2");
});

test("lines are listed in order and each once", () => {
  expect(
    joinLines([
      [30, 34],
      [12, 20],
      [14, 16],
      [21, 22],
      [40, 40],
    ]),
  ).toBe("12–22, 30–34, 40");
  expect(joinLines([])).toBe("");
});

test("lines have words in both languages", () => {
  const [en, fr] = [createTranslate("en"), createTranslate("fr")];
  expect([titleLines(en, [3, 3]), titleLines(en, [3, 9]), titleLines(en, null)]).toEqual(["line 3", "lines 3–9", ""]);
  expect([titleLines(fr, [3, 3]), titleLines(fr, [3, 9])]).toEqual(["ligne 3", "lignes 3–9"]);
});
