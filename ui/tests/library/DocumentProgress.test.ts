import fc from "fast-check";
import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { describeProgress } from "../../src/library/DocumentProgress";
import type { Document, Progress } from "../../src/library/documents";

const en = createTranslate("en");
const paper = { id: "d1", status: "queued" } as Document;
const at = (told: Partial<Progress>): Progress => ({
  document: "d1",
  title: "A paper",
  status: "reading",
  step: "read",
  done: 0,
  total: 0,
  rate: null,
  seconds_left: null,
  error: null,
  error_code: "",
  ...told,
});

test("reading says which page, how fast and how long still", () => {
  expect(describeProgress(en, paper, at({ done: 11, total: 96, rate: 14.2, seconds_left: 6 }))).toBe(
    "Reading page 12 of 96 · 14 pages/s · 6 sec left",
  );
});

test("what is not known yet is not said", () => {
  expect(describeProgress(en, paper, null)).toBe("Waiting to be read");
  expect(describeProgress(en, paper, at({}))).toBe("Reading");
  expect(describeProgress(en, paper, at({ done: 96, total: 96 }))).toBe("Reading page 96 of 96");
});

test("a document whose meaning is being indexed is said to be ready to ask", () => {
  const told = at({ status: "embedding", step: "embed", done: 120, total: 800 });
  expect(describeProgress(en, paper, told)).toBe("Ready to ask · indexing passage 120 of 800");
});

test("whatever the work tells, it is said in whole words in both languages", () => {
  const told = fc.record({
    status: fc.constantFrom("queued" as const, "reading" as const, "searchable" as const, "embedding" as const),
    step: fc.constantFrom("read" as const, "embed" as const, null),
    done: fc.nat(5000),
    total: fc.nat(5000),
    rate: fc.option(fc.double({ min: 0, max: 1e4, noNaN: true })),
    seconds_left: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
  });
  fc.assert(
    fc.property(told, fc.constantFrom("en" as const, "fr" as const), (each, language) => {
      expect(describeProgress(createTranslate(language), paper, at(each))).not.toMatch(
        /NaN|undefined|null|[{}]|Infinity/,
      );
    }),
  );
});
