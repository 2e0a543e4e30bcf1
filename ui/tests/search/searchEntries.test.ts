import { expect, test } from "vitest";
import type { Person } from "../../src/account/accountStore";
import { createTranslate, type Translate } from "../../src/i18n";
import type { Searcher } from "../../src/search/pageActions";
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
/** Somebody on a server without accounts. */
const ALONE: Searcher = { mode: "local", scopes: ["read", "ask", "write", "admin"], person: null };
const person = (role: Person["role"]): Person => ({
  id: "p1",
  name: "Mona",
  email: "",
  role,
  created: 0,
  disabled: false,
});
const said = { id: "c1", title: "Rent", excerpt: "", messages: 1, created: 0, updated: 0 };
const [en, fr] = [createTranslate("en"), createTranslate("fr")];

test("before a word is typed, the last conversations and the actions are offered", () => {
  const groups = listGroups(en, " ", NOTHING, [said], [], ALONE);
  expect(groups.map(({ title }) => title)).toEqual(["shell.conversations", "search.actions"]);
  expect(groups[0]?.entries[0]).toMatchObject({ label: "Rent", to: "/c/c1" });
});

test.each([
  [en, "dark", "Dark theme"],
  [fr, "theme sombre", "Thème sombre"],
  [fr, "parametres", "Réglages"],
  [fr, "theme du syst", "Thème du système"],
  [en, "ADD doc", "Add documents"],
] as const)("actions are found by their words, whatever the accents and the case", (t, words, label) => {
  const found = listGroups(t, words, NOTHING, [], [], ALONE).flatMap(({ entries }) =>
    entries.map((each) => each.label),
  );
  expect(found).toEqual(label ? [label] : []);
});

test("a section of the settings leads there", () => {
  const [group] = listGroups(en, "personas", NOTHING, [], [], ALONE);
  expect(group?.entries[0]).toMatchObject({ to: "/settings", section: "Personas" });
});

const settings = (t: Translate, words: string, searcher = ALONE) =>
  listGroups(t, words, NOTHING, [], [], searcher).find(({ title }) => title === "shell.settings")?.entries ?? [];

test.each([
  [en, "language model", ["Language model"]],
  [en, "API", ["Language model"]],
  [fr, "clé ollama", ["Modèle de langage"]],
  [en, "location", ["About you: Location"]],
  [fr, "localisation", ["À propos de vous"]],
  [en, "strict", ["Your choice of models"]],
  [fr, "sources confirment", ["Vos choix de modèles: Seulement ce que les sources confirment"]],
  [en, "password", []],
  [en, "audit", []],
] as const)("a setting is found by its own name and by what people call it", (t, words, found) => {
  const shown = settings(t, words).map(({ label, detail }) => (detail ? `${label}: ${detail}` : label));
  expect(shown).toEqual(found);
});

test("an owner finds the pages of accounts, and nobody finds what is not there for them", () => {
  const owner: Searcher = { ...ALONE, mode: "team", person: person("owner") };
  const reader: Searcher = { mode: "team", scopes: ["read", "ask"], person: person("member") };
  const guest: Searcher = { ...reader, person: person("guest") };
  const labels = (words: string, searcher: Searcher) =>
    listGroups(en, words, NOTHING, [], [], searcher).flatMap(({ entries }) => entries.map(({ label }) => label));
  expect(labels("people", owner)).toContain("People");
  expect(settings(en, "audit", owner)[0]).toMatchObject({ detail: "People", to: "/people?tab=audit" });
  expect(settings(en, "token api", reader)[0]).toMatchObject({ to: "/account", detail: "Account" });
  const hidden = ["People", "Audit log", "Language model", "Web search", "Personas", "Add documents"];
  const everything = ["", "a", "e", "o"].flatMap((words) => labels(words, reader));
  expect(everything).toContain("Account");
  for (const label of hidden) expect(everything).not.toContain(label);
  expect(settings(en, "password", guest)).toEqual([]);
  expect(labels("account", ALONE)).not.toContain("Account");
});

test("a note of a notebook leads there, and a highlight to its place in the document", () => {
  const note = {
    kind: "item" as const,
    id: "i1",
    title: "Report",
    excerpt: "The rent is 840 euros.",
    notebook: "n1",
    document: "",
    start: 0,
    end: 0,
    page: null,
    label: "",
  };
  const mark = { ...note, kind: "annotation" as const, id: "a1", title: "Lease", notebook: "", document: "d1" };
  const notes = [note, { ...mark, start: 3, end: 9, page: 2 }] as FoundThings["notes"];
  const groups = listGroups(en, "rent", { ...NOTHING, words: "rent", notes }, [], [], ALONE);
  const found = groups.find(({ title }) => title === "search.notes")?.entries;
  expect(found).toMatchObject([
    { label: "The rent is 840 euros.", detail: "Report", to: "/notebooks/n1", words: "rent" },
    { label: "The rent is 840 euros.", detail: "Lease, page 2", to: "/d/d1?span=3-9" },
  ]);
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
  const [group] = listGroups(en, "rent", { ...NOTHING, words: "rent", passages: [passage] }, [], [], ALONE);
  const [entry] = group?.entries ?? [];
  expect(entry).toMatchObject({ to: "/d/d1?span=10-40", detail: "Lease, page 3" });
  expect(entry?.label.startsWith("The rent is 840 euros.")).toBe(true);
  expect(entry?.label.length).toBeLessThan(170);
});

test("a passage is shown around the words that were typed, without the signs of Markdown", () => {
  const text = `# Lease\n\n## The house\n${"It stands by the lake. ".repeat(20)}\n\n## Payment\n- The **rent** is 840 euros.`;
  const passage = { document: "d1", title: "Lease", text, start: 0, end: text.length, page: null, label: "" };
  const found = { ...passage, kind: "markdown" as const, headings: ["Lease", "Payment"] };
  const [group] = listGroups(en, "RENT", { ...NOTHING, words: "RENT", passages: [found] }, [], [], ALONE);
  const [entry] = group?.entries ?? [];
  expect(entry?.label).toMatch(/^…[A-Za-z].*Payment The rent is 840 euros\.$/);
  expect(entry?.label).not.toMatch(/[#*]/);
  expect(entry).toMatchObject({ detail: "Lease, Payment", words: "RENT" });
  const first = { ...found, headings: ["Lease"] };
  const [titled] = listGroups(en, "RENT", { ...NOTHING, words: "RENT", passages: [first] }, [], [], ALONE);
  expect(titled?.entries[0]?.detail).toBe("Lease");
});

test("a passage does not begin with the heading that names its place", () => {
  const text = "Article 6: Rent\nThe rent is due.";
  const place = { document: "d1", title: "Lease", start: 0, end: 9, page: null, label: "" };
  const passage = { ...place, kind: "pdf" as const, text, headings: ["Article 6: Rent"] };
  const [group] = listGroups(en, "rent", { ...NOTHING, words: "rent", passages: [passage] }, [], [], ALONE);
  expect(group?.entries[0]).toMatchObject({ label: "The rent is due.", detail: "Lease, Article 6: Rent" });
});
