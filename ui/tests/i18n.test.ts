import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");
const LANGUAGES = ["en", "fr"] as const;
/** Keys that are put together from what the server says: `errors.<code>` and its hint. */
const FAMILIES = /^errors\./;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).map((path) => join(SRC, path));
const sources = files
  .filter((path) => /\.tsx?$/.test(path) && basename(path) !== "schema.ts")
  .map((path) => ({ path: path.slice(SRC.length + 1), text: readFileSync(path, "utf8") }));
const code = sources.map(({ text }) => text).join("\n");
const rooms = readdirSync(join(SRC, "i18n/en"));

function words(language: string, room: string): Record<string, string> {
  return JSON.parse(readFileSync(join(SRC, "i18n", language, room), "utf8"));
}

function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""))].toSorted();
}

test.each(rooms)("%s says the same things in every language, with the same values in them", (room) => {
  const [en, fr] = [words("en", room), words("fr", room)];
  expect(Object.keys(fr).toSorted()).toEqual(Object.keys(en).toSorted());
  for (const key of Object.keys(en)) {
    expect([key, placeholders(fr[key] ?? "")]).toEqual([key, placeholders(en[key] ?? "")]);
  }
});

test.each(LANGUAGES)("no word of %s is empty, and a plural has both its forms", (language) => {
  for (const room of rooms) {
    const said = words(language, room);
    for (const [key, text] of Object.entries(said)) {
      expect([key, text.trim()]).not.toEqual([key, ""]);
      const other = key.endsWith(".one") ? key.replace(/one$/, "other") : key.replace(/\.other$/, ".one");
      // One that is used by its whole name is no plural.
      expect([key, other in said || code.includes(`"${key}"`)]).toEqual([key, true]);
    }
  }
});

test("the languages have the same rooms", () => {
  expect(readdirSync(join(SRC, "i18n/fr"))).toEqual(rooms);
});

test("every word is used by the page", () => {
  const keys = rooms.flatMap((room) => Object.keys(words("en", room)));
  const isUsed = (key: string) =>
    FAMILIES.test(key) || code.includes(`"${key.replace(/\.(one|other)$/, "")}"`) || code.includes(`"${key}"`);
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

test("every error of the list has words, and every hint has its error", () => {
  const said = words("en", "errors.json");
  const hints = Object.keys(said).filter((key) => key.endsWith(".hint"));
  for (const hint of hints) expect(said).toHaveProperty([hint.replace(/\.hint$/, "")]);
});

test("French is written as the French write it", () => {
  const wrong = rooms.flatMap((room) =>
    Object.entries(words("fr", room)).filter(([, text]) => {
      const plain = text.replace(/\{\w+\}/g, "x");
      return /\w'\w|(?<![\u00a0\u202f])[;!?»]|(?<![\u00a0\u202f\d]):(?![/\d])|«(?![\u00a0\u202f])/.test(plain);
    }),
  );
  expect(wrong).toEqual([]);
});

test("what is sent about a person has one name, beside the question and in the settings", () => {
  for (const language of ["en", "fr"]) {
    const name = words(language, "settings.json")["settings.me"];
    expect(words(language, "conversation.json")["conversation.info.aboutMe"]).toBe(name);
  }
});

test("nothing is marked up: words are shown as they stand", () => {
  const marked = rooms.flatMap((room) => Object.entries(words("en", room)).filter(([, text]) => text.includes("`")));
  expect(marked).toEqual([]);
});

/** Text between tags, and attributes that people read or hear. */
const BETWEEN = /(?<!=)>\s*([A-Za-zÀ-ÿ][^<>{}=;()]*?)\s*<\/?[a-zA-Z]/g;
const ATTRIBUTES = /\b(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z][^"]*)"/g;
/** An example of what is typed, the same in every language. */
const EXAMPLE = /^[a-z]+:\S*$/;

test("no component says something that is not in the words", () => {
  const found = sources
    .filter(({ path }) => path.endsWith(".tsx"))
    .flatMap(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
      const said = [...code.matchAll(BETWEEN), ...code.matchAll(ATTRIBUTES)].map(([, each]) => each ?? "");
      return said.filter((each) => !EXAMPLE.test(each)).map((each) => `${path}: ${each}`);
    });
  expect(found).toEqual([]);
});
