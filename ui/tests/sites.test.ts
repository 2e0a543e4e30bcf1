import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, isLive, siteOf } from "../src/sites";
import { wordsOf } from "../src/words";

test("an address is told by its site", () => {
  expect(siteOf("https://www.example.org/a/b?c#d")).toBe("example.org");
  expect(siteOf("http://localhost:8080/")).toBe("localhost:8080");
  expect(siteOf("https://www.org/")).toBe("www.org");
});

test("only addresses of the web are followed", () => {
  expect([isLive("https://a.org"), isLive("HTTP://a.org"), isLive("javascript:alert(1)"), isLive(null)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("whatever stands for an address, it is told and nothing breaks", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), (wild) => {
      if (isLive(wild) && URL.canParse(wild)) expect(wild.toLowerCase()).toContain(siteOf(wild));
      else expect(siteOf(wild)).toBe(wild);
    }),
  );
});

test("a day is written as the reader writes it", () => {
  const noon = new Date(2026, 10, 15, 12).getTime();
  expect(dayOf(noon, wordsOf("en"))).toBe("15 November 2026");
  expect(dayOf(noon, wordsOf("fr"))).toBe("15 novembre 2026");
  expect(dayOf(noon, wordsOf("en"), true)).toContain("12:00");
});
