import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffLine, parseDiff, takeLines } from "../../../src/conversation/changes/diffLines";

const lineOf = fc.constantFrom(
  "",
  " ",
  "x = 1",
  "-- a/x",
  "++ b/x",
  "@@ -1,2 +3,4 @@",
  "\\ No newline",
  "été 🙂",
  "-",
  "+",
);
const kinds = fc.array(fc.record({ kind: fc.constantFrom("same", "added", "removed"), text: lineOf }), {
  minLength: 1,
});
const SIGNS: Record<string, string> = { same: " ", added: "+", removed: "-" };

function write(lines: readonly { kind: string; text: string }[], from = 1): string {
  const size = (without: string) => lines.filter(({ kind }) => kind !== without).length;
  const body = lines.map(({ kind, text }) => SIGNS[kind] + text).join("\n");
  return `--- a/app.py\n+++ b/app.py\n@@ -${from},${size("added")} +${from},${size("removed")} @@ def f\n${body}\n`;
}

function texts(lines: readonly DiffLine[], without: DiffLine["kind"]): string[] {
  return lines.filter(({ kind }) => kind !== without).map(({ text }) => text);
}

test("every line of a diff is read as what it is, however much it looks like a header", () => {
  fc.assert(
    fc.property(kinds, fc.integer({ min: 1, max: 900 }), (given, from) => {
      const { hunks, added, removed } = parseDiff(write(given, from));
      const lines = hunks.flatMap((each) => each.lines);
      expect(lines.map(({ kind, text }) => ({ kind, text }))).toEqual(given);
      expect([added, removed]).toEqual([
        given.filter(({ kind }) => kind === "added").length,
        given.filter(({ kind }) => kind === "removed").length,
      ]);
      const numbers = (side: "before" | "after") => lines.map((each) => each[side]).filter((each) => each !== null);
      expect(numbers("before")).toEqual(texts(lines, "added").map((_, at) => from + at));
      expect(numbers("after")).toEqual(texts(lines, "removed").map((_, at) => from + at));
    }),
  );
});

test("hunks have their headings, and a file that ends without a line end says so", () => {
  const { hunks } = parseDiff(
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9,2 @@ class Crane:\n c\n-d\n\\ No newline at end of file\n+d\n",
  );
  expect(hunks.map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ["", 2],
    ["class Crane:", 3],
  ]);
  expect(hunks[1]?.lines.map(({ isOpen }) => isOpen)).toEqual([false, true, false]);
});

test("line ends are shown only where they differ", () => {
  const same = parseDiff("@@ -1 +1 @@\n-a\r\n+b\r\n");
  expect(same.hunks[0]?.lines.map(({ text }) => text)).toEqual(["a", "b"]);
  const mixed = parseDiff("@@ -1 +1 @@\n-a\r\n+a\n");
  expect(mixed.hunks[0]?.lines.map(({ text }) => text)).toEqual(["a␍", "a"]);
});

test("a file that is renamed alone has no lines", () => {
  expect(parseDiff("diff --git a/x b/y\nrename from x\nrename to y\n")).toEqual({ hunks: [], added: 0, removed: 0 });
  expect(parseDiff("")).toEqual({ hunks: [], added: 0, removed: 0 });
});

test("of a long diff the first lines are taken, hunk by hunk", () => {
  const hunk = (text: string, count: number) => ({
    heading: text,
    lines: Array.from(
      { length: count },
      (_, at): DiffLine => ({ kind: "same", text, before: at, after: at, isOpen: false }),
    ),
  });
  const taken = takeLines([hunk("a", 3), hunk("b", 3), hunk("c", 1)], 5);
  expect(taken.map(({ heading, lines }) => [heading, lines.length])).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
});
