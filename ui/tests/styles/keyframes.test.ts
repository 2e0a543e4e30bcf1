import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");
const styles = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
const text = styles.map((path) => readFileSync(join(SRC, path), "utf8")).join("\n");

test("no two animations have one name, as the style sheet that is loaded last would give both", () => {
  const names = [...text.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual([...new Set(names)]);
});

test("an animation ends after 200 ms, unless it shows that work is going on", () => {
  const animations = [...text.matchAll(/animation:\s*([^;]+);/g)].flatMap(([, all]) => (all ?? "").split(","));
  const named = animations.map((each) => each.trim()).filter((each) => each !== "none");
  expect(named.length).toBeGreaterThan(4);
  for (const each of named) expect(each).toMatch(/var\(--time-200\)|infinite/);
});
