import { expect, test } from "vitest";
import { findCurrentEntry } from "../../src/viewer/outlineEntries";

const entry = (key: string, page: number | null, start: number | null) => ({ key, title: key, level: 1, page, start });

test("the section that is being read is found by its character in a text", () => {
  const entries = [entry("a", null, 0), entry("b", null, 100), entry("c", null, 300)];
  const at = (start: number) => findCurrentEntry(entries, { page: null, start, goneTo: null })?.key;
  expect([at(0), at(99), at(100), at(5000)]).toEqual(["a", "a", "b", "c"]);
});

test("on pages it is the one that was gone to, else the first on the page, else the last before it", () => {
  const entries = [entry("a", 1, null), entry("b", 3, null), entry("c", 3, null), entry("d", 9, null)];
  const at = (page: number, goneTo: string | null = null) =>
    findCurrentEntry(entries, { page, start: null, goneTo })?.key;
  expect([at(2), at(3), at(3, "c"), at(4, "c"), at(9)]).toEqual(["a", "b", "c", "c", "d"]);
});
