import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTranslate } from "../../src/i18n";
import { formatDay, getSite, isWebAddress } from "../../src/text/webAddresses";

test("an address is told by its site", () => {
  expect(getSite("https://www.example.org/a/b?c#d")).toBe("example.org");
  expect(getSite("http://localhost:8080/")).toBe("localhost:8080");
  expect(getSite("https://www.org/")).toBe("www.org");
});

test("only addresses of the web are followed", () => {
  expect([
    isWebAddress("https://a.org"),
    isWebAddress("HTTP://a.org"),
    isWebAddress("javascript:alert(1)"),
    isWebAddress(null),
  ]).toEqual([true, true, false, false]);
});

test("whatever stands for an address, it is told and nothing breaks", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), (wild) => {
      if (isWebAddress(wild) && URL.canParse(wild)) expect(wild.toLowerCase()).toContain(getSite(wild));
      else expect(getSite(wild)).toBe(wild);
    }),
  );
});

test("a day is written as the reader writes it", () => {
  const languages = vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB", "fr-FR"]);
  onTestFinished(() => languages.mockRestore());
  const noon = new Date(2026, 10, 15, 12).getTime();
  expect(formatDay(noon, createTranslate("en"))).toBe("15 November 2026");
  expect(formatDay(noon, createTranslate("fr"))).toBe("15 novembre 2026");
  expect(formatDay(noon, createTranslate("en"), true)).toContain("12:00");
  languages.mockReturnValue(["en-US"]);
  expect(formatDay(noon, createTranslate("en"))).toBe("November 15, 2026");
});
