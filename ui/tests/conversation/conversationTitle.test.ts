import { expect, test } from "vitest";
import { makeTitle } from "../../src/conversation/conversationTitle";

test("a short question is its conversation's title, on one line", () => {
  expect(makeTitle("How deep\n is  the lake?")).toBe("How deep is the lake?");
});

test("a long one is cut between words, as the server cuts it", () => {
  const asked = "What does the lease say about the notice period and what does the law say about it?";
  expect(makeTitle(asked)).toBe("What does the lease say about the notice period and what does the law say about…");
  expect(makeTitle("x".repeat(90))).toBe(`${"x".repeat(79)}…`);
  expect([...makeTitle("🜁".repeat(90))]).toHaveLength(80);
});
