import { describe, expect, it } from "vitest";
import { dropHeadings, tidyExcerpt, tidyQuote } from "../../src/text/quotes";

describe("a quote on one line", () => {
  it("has the cells of a table and no lines between them", () => {
    expect(tidyQuote("| London | £180 | £45 |\n| Paris | €190 | |")).toBe("London · £180 · £45 Paris · €190");
    expect(tidyQuote("| Place | Price |\n|---|---|\n| London | £180 |")).toBe("Place · Price London · £180");
    expect(tidyQuote("| London | £180 | | Paris | €190 |")).toBe("London · £180 · Paris · €190");
  });

  it("has no signs of lists, quotations and headings", () => {
    expect(tidyQuote("- Option A needs no depot\n- Option B does")).toBe("Option A needs no depot Option B does");
    expect(tidyQuote("## Prices\n> They rose.\n* Much")).toBe("Prices They rose. Much");
  });

  it("keeps words and commands that only look alike", () => {
    expect(tidyQuote("cat names | sort")).toBe("cat names | sort");
    expect(tidyQuote("a -3 % fall - and more\n  of it")).toBe("a -3 % fall - and more of it");
    expect(tidyQuote("#12 is out")).toBe("#12 is out");
    for (const kept of ["- 12 % in 2023", "> 18 years of age", "+ 3 °C", "# a comment"])
      expect(tidyQuote(kept)).toBe(kept);
  });
});

it("turns an excerpt of an answer into plain words, also where a table is cut", () => {
  expect(tidyExcerpt("…as follows. | Item | 2023 | |---|---:| | **Net sales** | 31.2 | | Empl…")).toBe(
    "…as follows. · Item · 2023 · Net sales · 31.2 · Empl…",
  );
  expect(tidyExcerpt("## Outlook It was **good**.")).toBe("Outlook It was good.");
  expect(tidyExcerpt("Use a | b, or a || b.")).toBe("Use a | b, or a || b.");
});

it("does not begin with a heading that stands beside it, and words that begin alike stay", () => {
  const text = "## Article 6 — Rent\n\nThe rent\nis due.";
  expect(dropHeadings(text, ["Lease", "Article 6 — Rent"])).toBe("The rent\nis due.");
  expect(dropHeadings("Lease\nArticle 6\n— Rent\nIt is due.", ["Lease", "Article 6 — Rent"])).toBe("It is due.");
  expect(dropHeadings("Rent is due.\nOn Monday.", ["Rent"])).toBe("Rent is due.\nOn Monday.");
  expect(dropHeadings("Rent", ["Rent"])).toBe("Rent");
});
