import { expect, test } from "vitest";
import type { Document } from "../../src/library/documents";
import { type Selection, toggleAll, toggleSelection } from "../../src/library/selection";

const paper = (id: string, status = "ready") => ({ id, title: `Paper ${id}`, status }) as Document;
const LISTED = [paper("a"), paper("b"), paper("c", "failed"), paper("d"), paper("e")];
const at = (index: number) => LISTED[index] as Document;
const NONE: Selection = new Map();

test("a document is taken in and out again", () => {
  const chosen = toggleSelection(NONE, LISTED, at(1), null);
  expect([...chosen]).toEqual([["b", at(1)]]);
  expect(toggleSelection(chosen, LISTED, at(1), null).size).toBe(0);
});

test("a range takes in all that lies between, in either direction", () => {
  expect([...toggleSelection(NONE, LISTED, at(3), "b").keys()]).toEqual(["b", "c", "d"]);
  expect([...toggleSelection(NONE, LISTED, at(0), "d").keys()]).toEqual(["a", "b", "c", "d"]);
});

test("a range that begins at a document which is listed no more is that one document", () => {
  expect([...toggleSelection(NONE, LISTED, at(4), "gone").keys()]).toEqual(["e"]);
});

test("a range is taken out like its last document", () => {
  const all = toggleSelection(NONE, LISTED, at(4), "a");
  expect([...toggleSelection(all, LISTED, at(3), "b").keys()]).toEqual(["a", "e"]);
});

test("all are taken in at once, failed ones too, and out again", () => {
  const all = toggleAll(toggleSelection(NONE, LISTED, at(1), null), LISTED);
  expect([...all.keys()]).toEqual(["a", "b", "c", "d", "e"]);
  expect(toggleAll(all, LISTED).size).toBe(0);
});
