import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");

test("no two animations have one name, as the style sheet that is loaded last would give both", () => {
  const styles = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
  const text = styles.map((path) => readFileSync(join(SRC, path), "utf8")).join("\n");
  const names = [...text.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual([...new Set(names)]);
});
