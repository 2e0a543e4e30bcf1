import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  finishCall,
  mergeAttributes,
  shorten,
  writeActivity,
  writeSubagent,
  writeToolCall,
} from "../../../src/conversation/steps/toolElements";

interface Cases {
  started: { name: string; kind: string; given: [string, string, string, Record<string, string>]; expected: string }[];
  finished: {
    name: string;
    text: string;
    id: string;
    status: string;
    attributes: Record<string, string>;
    expected: string;
  }[];
  activity: { name: string; events: { type: string; data: Record<string, never> }[]; expected: string }[];
}

/** The cases of the server's own tests. */
const path = join(import.meta.dirname, "../../../../tests/events/markup_cases.json");
const CASES: Cases = JSON.parse(readFileSync(path, "utf-8"));

test.each(CASES.started)("a call begins as the server writes it: $name", ({ kind, given, expected }) => {
  const [name, id, third, attributes] = given;
  expect(kind === "tool" ? writeToolCall(name, id, third, attributes) : writeSubagent(name, id, third)).toBe(expected);
});

test.each(CASES.finished)(
  "a call ends as the server writes it: $name",
  ({ text, id, status, attributes, expected }) => {
    expect(finishCall(text, id, status, attributes)).toBe(expected);
  },
);

test.each(CASES.activity)("calls stand as the server keeps them: $name", ({ events, expected }) => {
  expect(writeActivity(events)).toBe(expected);
});

test("a value is cut by characters", () => {
  expect(shorten("😀😀😀", 2)).toBe("😀…");
  expect(shorten("été", 3)).toBe("été");
});

test("attributes of a step are those of its element", () => {
  const merged = mergeAttributes({ query: "dam" }, { found: " 8\n", status: "weird", "on click": "x" });
  expect(merged).toEqual({ query: "dam", found: "8" });
});
