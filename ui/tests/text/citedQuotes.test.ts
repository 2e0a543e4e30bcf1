import { expect, it } from "vitest";
import { createTranslate } from "../../src/i18n";
import { citeQuote } from "../../src/text/citedQuotes";

const WORDS = {
  title: "Lease",
  text: "See [17, 21]",
  page: 14,
  label: "xii",
  last: { page: 14, label: "xii" },
  heading: "",
};

it("a quote is copied with its title and the page that is printed on it", () => {
  const t = createTranslate("en");
  expect(citeQuote(WORDS, t)).toBe("“See [17, 21]” (Lease, p. xii)");
  expect(citeQuote({ ...WORDS, label: "", last: { page: 14, label: "" } }, t)).toBe("“See [17, 21]” (Lease, p. 14)");
  expect(citeQuote({ ...WORDS, page: null, label: "" }, t)).toBe("“See [17, 21]” (Lease)");
});

it("a quote that goes over a page end is copied with both pages", () => {
  const crossing = { ...WORDS, last: { page: 15, label: "xiii" } };
  const plain = { ...WORDS, label: "", last: { page: 15, label: "" } };
  expect(citeQuote(crossing, createTranslate("en"))).toBe("“See [17, 21]” (Lease, p. xii–xiii)");
  expect(citeQuote(plain, createTranslate("fr"))).toMatch(/\(Lease, p\.\s14–15\)/);
});

it("a quote of a source without pages is copied with the heading above it", () => {
  const t = createTranslate("en");
  const unpaged = { ...WORDS, page: null, label: "" };
  expect(citeQuote({ ...unpaged, heading: "4. Deposit" }, t)).toBe("“See [17, 21]” (Lease, 4. Deposit)");
  expect(citeQuote({ ...unpaged, heading: "Lease" }, t)).toBe("“See [17, 21]” (Lease)");
});
