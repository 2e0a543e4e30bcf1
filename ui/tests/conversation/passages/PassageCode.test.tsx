import { expect, test } from "vitest";
import type { ShownPassage } from "../../../src/api/types";
import { PassageCode } from "../../../src/conversation/passages/PassageCode";
import { drawn } from "../render";

test("lines of a file have their numbers, and what answers is lit without its indentation", () => {
  const text = "def lift():\n    tons = 9\n\n    return tons";
  const passage = { text, lit: [[12, 41]], lines: [6, 9] } as unknown as ShownPassage;
  const { page, leave } = drawn(<PassageCode passage={passage} />);
  const lines = [...page.querySelectorAll("code")];
  expect(lines.map((each) => [each.dataset.number, each.textContent])).toEqual([
    ["6", "def lift():"],
    ["7", "    tons = 9"],
    ["8", ""],
    ["9", "    return tons"],
  ]);
  expect([...page.querySelectorAll("mark")].map((each) => each.textContent)).toEqual(["tons = 9", "return tons"]);
  expect(lines.map((each) => each.dataset.lit)).toEqual([undefined, "true", undefined, "true"]);
  leave();
});
