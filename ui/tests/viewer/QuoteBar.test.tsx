import { afterEach, expect, test } from "vitest";
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
