import { expect, it } from "vitest";
import { appendQuote } from "../../src/conversation/composer/draftInsertion";
import { createTranslate } from "../../src/i18n";
import { citeSelection } from "../../src/viewer/selectionActions";

const WORDS = { document: "d", title: "Lease", text: "See [17, 21]", page: 14, label: "xii", range: null, at: null };

it("a quote is copied with its title and the page that is printed on it", () => {
  const t = createTranslate("en");
  expect(citeSelection(WORDS, t)).toBe("“See [17, 21]” (Lease, p. xii)");
  expect(citeSelection({ ...WORDS, label: "" }, t)).toBe("“See [17, 21]” (Lease, p. 14)");
  expect(citeSelection({ ...WORDS, page: null, label: "" }, t)).toBe("“See [17, 21]” (Lease)");
});

it("a quote goes after what is written already", () => {
  expect(appendQuote("", "“a”\n\n")).toBe("“a”\n\n");
  expect(appendQuote("Why? ", "“a”\n\n")).toBe("Why?\n\n“a”\n\n");
});
