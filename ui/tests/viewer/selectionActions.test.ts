import { expect, it } from "vitest";
import { appendQuote } from "../../src/conversation/composer/draftInsertion";
import { createTranslate } from "../../src/i18n";
import { citeSelection } from "../../src/viewer/selectionActions";

const WORDS = {
  document: "d",
  title: "Lease",
  text: "See [17, 21]",
  page: 14,
  label: "xii",
  last: { page: 14, label: "xii" },
  heading: "",
  range: null,
  at: null,
};

it("a quote is copied with its title and the page that is printed on it", () => {
  const t = createTranslate("en");
  expect(citeSelection(WORDS, t)).toBe("“See [17, 21]” (Lease, p. xii)");
  expect(citeSelection({ ...WORDS, label: "", last: { page: 14, label: "" } }, t)).toBe(
    "“See [17, 21]” (Lease, p. 14)",
  );
  expect(citeSelection({ ...WORDS, page: null, label: "" }, t)).toBe("“See [17, 21]” (Lease)");
});

it("a quote that goes over a page end is copied with both pages", () => {
  const crossing = { ...WORDS, last: { page: 15, label: "xiii" } };
  const plain = { ...WORDS, label: "", last: { page: 15, label: "" } };
  expect(citeSelection(crossing, createTranslate("en"))).toBe("“See [17, 21]” (Lease, p. xii–xiii)");
  expect(citeSelection(plain, createTranslate("fr"))).toMatch(/\(Lease, p\.\s14–15\)/);
});

it("a quote of a source without pages is copied with the heading above it", () => {
  const t = createTranslate("en");
  const unpaged = { ...WORDS, page: null, label: "" };
  expect(citeSelection({ ...unpaged, heading: "4. Deposit" }, t)).toBe("“See [17, 21]” (Lease, 4. Deposit)");
  expect(citeSelection({ ...unpaged, heading: "Lease" }, t)).toBe("“See [17, 21]” (Lease)");
});

it("a quote goes after what is written already", () => {
  expect(appendQuote("", "“a”\n\n")).toBe("“a”\n\n");
  expect(appendQuote("Why? ", "“a”\n\n")).toBe("Why?\n\n“a”\n\n");
});
