import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createPersistentStore, createPersonalStore } from "../../src/state/persistentStore";
import { makePersonalKey, removePersonalItems, storageOwner } from "../../src/state/personalData";

const SRC = join(import.meta.dirname, "../../src");
/** Stores that hold nothing of a person, or what is stored for each person apart. */
const OF_NOBODY = [
  "account/accountStore.ts",
  "account/linkSecret.ts",
  "settings/preferences.ts",
  "viewer/openSource.ts",
];

beforeEach(() => {
  localStorage.clear();
  storageOwner.set("");
});

test("every store that lasts as long as the page is emptied when its person is gone", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const isLasting = /^(?:export )?const \w+ = create(?!Persistent|Personal)\w*(?:Store|Queue|Cache)[<(]/m;
  const left = files.filter((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    return isLasting.test(text) && !text.includes("onPersonGone(");
  });
  expect(left.toSorted()).toEqual(OF_NOBODY);
});

test("without accounts the keys are those of before", () => {
  expect(makePersonalKey("draft.c1")).toBe("pincite.draft.c1");
});

test("a personal store has a value for each person, and a persistent one for all", () => {
  const own = createPersonalStore("own", "none");
  const shared = createPersistentStore("shared", "none");
  storageOwner.set("a");
  own.set("of a");
  shared.set("of all");
  storageOwner.set("b");
  expect([own.get(), shared.get()]).toEqual(["none", "of all"]);
  storageOwner.set("a");
  expect([own.get(), shared.get()]).toEqual(["of a", "of all"]);
});

test("what was stored for one person is removed alone", () => {
  for (const key of ["pincite.a.draft", "pincite.ab.draft", "pincite.theme", "other.a.x"])
    localStorage.setItem(key, "1");
  removePersonalItems(() => localStorage, "a");
  expect(Object.keys(localStorage).toSorted()).toEqual(["other.a.x", "pincite.ab.draft", "pincite.theme"]);
});
