import { expect, test } from "vitest";
import { titleOf } from "../../src/conversation/title";

test("a short question is its conversation's title, on one line", () => {
  expect(titleOf("How deep\n is  the lake?")).toBe("How deep is the lake?");
});

test("a long one is cut between words, as the server cuts it", () => {
  const asked = "What does the lease say about the notice period and what does the law say about it?";
  expect(titleOf(asked)).toBe("What does the lease say about the notice period and what does the law say about…");
  expect(titleOf("x".repeat(90))).toBe(`${"x".repeat(79)}…`);
  expect([...titleOf("🜁".repeat(90))]).toHaveLength(80);
});
