import { expect, it } from "vitest";
import { appendQuote } from "../../../src/conversation/composer/draftInsertion";

it("a quote goes after what is written already", () => {
  expect(appendQuote("", "“a”\n\n")).toBe("“a”\n\n");
  expect(appendQuote("Why? ", "“a”\n\n")).toBe("Why?\n\n“a”\n\n");
});
