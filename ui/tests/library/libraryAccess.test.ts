import { expect, test } from "vitest";
import { createTranslate } from "../../src/i18n";
import { type Libraries, nameLibrary } from "../../src/library/librariesStore";
import { mayChange } from "../../src/library/libraryAccess";

const held = {
  libraries: [
    { key: "default", access: "owner" },
    { key: "~Mia/mills", access: "reader" },
    { key: "~Mia/leases", access: "writer" },
  ],
} as Libraries;

test.each([
  [["default"], true],
  [[], true],
  [["~Mia/mills"], false],
  [["~Mia/leases"], true],
  [["~Mia/mills", "~Mia/leases"], true],
  [["~Mia/mills", "default"], true],
  [["~Mia/unknown"], false],
])("a document in %j can be changed: %s", (libraries, isExpected) => {
  expect(mayChange({ libraries }, held)).toBe(isExpected);
});

test("before the libraries are known, those of others cannot be changed", () => {
  expect(mayChange({ libraries: ["~Mia/leases"] }, null)).toBe(false);
  expect(mayChange({ libraries: ["default"] }, null)).toBe(true);
});

test("a library of somebody else has its owner's name", () => {
  const t = createTranslate("en");
  expect(nameLibrary(t, "~Mia/a/b")).toBe("a/b · Mia");
  expect(nameLibrary(t, "~Mia/default")).toBe(`${t("library.default")} · Mia`);
  expect(nameLibrary(t, "mills")).toBe("mills");
});
