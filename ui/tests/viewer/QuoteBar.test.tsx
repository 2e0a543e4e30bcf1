import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { QuoteBar } from "../../src/viewer/QuoteBar";
import type { Mark } from "../../src/viewer/viewerStore";
import { type Drawn, drawn } from "../conversation/render";

let page: Drawn | null = null;
afterEach(() => page?.leave());

const mark = (more: Partial<Mark>) => ({ key: "m1:1", n: 1, document: "d", quote: "", ...more }) as Mark;

test("code is quoted as it is written, and prose on one line in quotation marks", () => {
  const code = "def lift():\n    return 9";
  page = drawn(<QuoteBar mark={mark({ quote: code, path: "crane.py" })} />);
  expect(page.page.querySelector("pre")?.textContent).toBe(code);
  page.leave();
  page = drawn(<QuoteBar mark={mark({ quote: "It lifts\nnine tons." })} />);
  expect(page.page.querySelector("pre")).toBeNull();
  expect(page.page.querySelector("p")?.textContent).toBe("“It lifts nine tons.”");
});

const row = (cells: string[]) => ({ heads: ["", "Q3"], cells, note: "" });

test("a row of a table is quoted under the heads of its columns", () => {
  page = drawn(<QuoteBar mark={mark({ quote: "Police · 1517", rows: [row(["Police", "1517"])] })} />);
  expect([...page.page.querySelectorAll("th, td")].map((each) => each.textContent)).toEqual([
    ...["", "Q3"],
    ...["Police", "1517"],
  ]);
  expect(page.page.querySelector("button")).toBeNull();
});

test("of many rows the first are shown, and a button shows all and fewer again", () => {
  page = drawn(<QuoteBar mark={mark({ quote: "…", rows: ["a", "b", "c"].map((name) => row([name, "1"])) })} />);
  const lines = () => page?.page.querySelectorAll("tbody tr").length;
  const press = () => act(() => page?.page.querySelector("button")?.click());
  expect(lines()).toBe(2);
  press();
  expect([lines(), page.page.querySelector("button")?.textContent]).toEqual([3, "Show less"]);
  press();
  expect([lines(), page.page.querySelector("button")?.textContent]).toEqual([2, "Show all"]);
});

test("of a long quote a button shows what is cut off, and every word is there for a screen reader", () => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(84);
  vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(170);
  const quote = "It lifts nine tons. ".repeat(40).trim();
  page = drawn(<QuoteBar mark={mark({ quote })} />);
  const button = page.page.querySelector("button");
  expect(page.page.querySelector("p")?.textContent).toBe(`“${quote}”`);
  expect(button?.getAttribute("aria-expanded")).toBe("false");
  act(() => button?.click());
  expect(page.page.querySelector("p")?.dataset.whole).toBe("true");
  expect(page.page.querySelector("button")?.textContent).toBe("Show less");
  vi.restoreAllMocks();
});
