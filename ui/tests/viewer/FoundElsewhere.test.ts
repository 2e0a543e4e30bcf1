import { expect, test } from "vitest";
import { type FoundPassage, sortElsewhere } from "../../src/viewer/FoundElsewhere";

const passage = (document: string, start: number): FoundPassage => ({
  ...{ document, start, end: start + 10, title: document, kind: "pdf", text: "words" },
  ...{ page: 1, label: "", headings: [] },
});

test("other documents come first, none fills the list, and the selected words are not found again", () => {
  const own = [passage("own", 0), passage("own", 50)];
  const full = [passage("full", 0), passage("full", 20), passage("full", 40)];
  const other = passage("other", 0);
  const sorted = sortElsewhere([...own, ...full, other], "own", { start: 5, end: 8 });
  expect(sorted).toEqual([full[0], full[1], other, full[2], own[1]]);
});
