import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXTRACTIVE } from "../../src/settings/modelNames";

const SRC = join(import.meta.dirname, "../../src");

test("the name of no model is written in one module", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const naming = files.filter((path) => readFileSync(join(SRC, path), "utf8").includes(`"${EXTRACTIVE}"`));
  expect(naming).toEqual([join("settings", "modelNames.ts")]);
});
