import fc from "fast-check";
import { expect, test } from "vitest";
import { closeMarkdown } from "../../../src/conversation/markdown/closeMarkdown";

test.each([
  ["It is **33 m", "It is **33 m**"],
  ["It is **33 m ", "It is **33 m** "],
  ["It is **", "It is "],
  ["It is **high** and", "It is **high** and"],
  ["Call `f(", "Call `f(`"],
  ["Call `", "Call "],
  ["`a ** b` is", "`a ** b` is"],
  ["**a `b", "**a `b`**"],
  ["See [the dam](http://e.o", "See the dam"],
  ["See ![the dam](http://e.o", "See the dam"],
  ["See [a](b) and [c](d", "See [a](b) and c"],
  ["A list [1] f(x", "A list [1] f(x"],
  ["One.\n\nTwo **b", "One.\n\nTwo **b**"],
  ["```\n**x `y", "```\n**x `y"],
])("what is open is closed: %j", (text, expected) => {
  expect(closeMarkdown(text)).toBe(expected);
});

test("what is closed is left as it is", () => {
  const whole = "A **b** and `c` with [d](http://e.org).\n\n- **e**: `f`";
  expect(closeMarkdown(whole)).toBe(whole);
});

test("however far a bold or code has come, no mark of it is left alone", () => {
  const whole = "The **dam at Corvel** is `33 m` high, **really `so` high**.";
  fc.assert(
    fc.property(fc.nat(whole.length), (length) => {
      const made = closeMarkdown(whole.slice(0, length).replace(/(?<!\*)\*$/, ""));
      expect(made.split("**").length % 2).toBe(1);
      expect(made.split("`").length % 2).toBe(1);
    }),
  );
});
