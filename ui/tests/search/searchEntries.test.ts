import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { listGroups } from "../../src/search/searchEntries";
import type { FoundThings } from "../../src/search/searchEverything";

const NOTHING: FoundThings = {
  words: "",
  documents: [],
  passages: [],
  conversations: [],
  notes: [],
  isBusy: false,
  hasFailed: false,
};
const said = { id: "c1", title: "Rent", excerpt: "", messages: 1, created: 0, updated: 0 };
const [en, fr] = [createTranslate("en"), createTranslate("fr")];

test("before a word is typed, the last conversations and the actions are offered", () => {
  const groups = listGroups(en, " ", NOTHING, [said], []);
  expect(groups.map(({ title }) => title)).toEqual(["shell.conversations", "search.actions"]);
  expect(groups[0]?.entries[0]).toMatchObject({ label: "Rent", to: "/c/c1" });
});

test.each([
  [en, "dark", "Dark theme"],
  [fr, "theme sombre", "Thème sombre"],
  [fr, "parametres", ""],
  [en, "ADD doc", "Add documents"],
] as const)("actions are found by their words, whatever the accents and the case", (t, words, label) => {
  const found = listGroups(t, words, NOTHING, [], []).flatMap(({ entries }) => entries.map((each) => each.label));
  expect(found).toEqual(label ? [label] : []);
});

test("a section of the settings leads there", () => {
  const [group] = listGroups(en, "personas", NOTHING, [], []);
  expect(group?.entries[0]).toMatchObject({ to: "/settings", section: "Personas" });
});

test("a passage opens at its words and names its page", () => {
  const passage = {
    document: "d1",
    title: "Lease",
    kind: "pdf" as const,
    text: `The rent\nis  840 euros. ${"x".repeat(400)}`,
    start: 10,
    end: 40,
    page: 3,
    label: "",
    headings: [],
  };
  const [group] = listGroups(en, "rent", { ...NOTHING, words: "rent", passages: [passage] }, [], []);
  const [entry] = group?.entries ?? [];
  expect(entry).toMatchObject({ to: "/d/d1?span=10-40", detail: "Lease, page 3" });
  expect(entry?.label.startsWith("The rent is 840 euros.")).toBe(true);
  expect(entry?.label.length).toBeLessThan(170);
});

test("a passage is shown around the words that were typed, without the signs of Markdown", () => {
  const text = `# Lease\n\n## The house\n${"It stands by the lake. ".repeat(20)}\n\n## Payment\n- The **rent** is 840 euros.`;
  const passage = { document: "d1", title: "Lease", text, start: 0, end: text.length, page: null, label: "" };
  const found = { ...passage, kind: "markdown" as const, headings: ["Lease", "Payment"] };
  const [group] = listGroups(en, "RENT", { ...NOTHING, words: "RENT", passages: [found] }, [], []);
  const [entry] = group?.entries ?? [];
  expect(entry?.label).toMatch(/^…[A-Za-z].*Payment The rent is 840 euros\.$/);
  expect(entry?.label).not.toMatch(/[#*]/);
  expect(entry).toMatchObject({ detail: "Lease, Payment", words: "RENT" });
  const first = { ...found, headings: ["Lease"] };
  const [titled] = listGroups(en, "RENT", { ...NOTHING, words: "RENT", passages: [first] }, [], []);
  expect(titled?.entries[0]?.detail).toBe("Lease");
});
