import { afterEach, expect, test } from "vitest";
import { LibrarySize } from "../../src/library/LibrarySize";
import type { Libraries } from "../../src/library/librariesStore";
import { type Drawn, drawn } from "../conversation/render";

let shown: Drawn | null = null;
afterEach(() => shown?.leave());

function describe(held: Partial<Libraries>): string {
  const whole = {
    libraries: [],
    documents: 0,
    web_pages: 0,
    pages: 0,
    passages: 0,
    bytes: 2000,
    stored: null,
    ...held,
  };
  shown = drawn(<LibrarySize held={whole} />);
  return shown.page.textContent ?? "";
}

test("pages that answers have read are no documents of the list, and are counted apart", () => {
  expect(describe({ documents: 6, web_pages: 3, pages: 9 })).toMatch(
    /^3 documents · 9 pages · 3 web pages kept from answers · /,
  );
});

test("without such pages, and with them alone, nothing is said of the others", () => {
  expect(describe({ documents: 1 })).toMatch(/^1 document · /);
  shown?.leave();
  expect(describe({ documents: 1, web_pages: 1 })).toMatch(/^1 web page kept from answers · /);
});
