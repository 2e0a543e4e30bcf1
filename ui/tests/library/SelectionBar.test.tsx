import { afterEach, expect, test } from "vitest";
import { SelectionBar } from "../../src/library/SelectionBar";
import { type Drawn, drawn } from "../conversation/render";

let page: Drawn;
afterEach(() => page.leave());

/** The button that asks about the selected documents, of which these were read. */
function asking(chosen: string[], read: string[]): HTMLButtonElement {
  const select = (ids: string[]) => new Map(ids.map((id) => [id, `Paper ${id}`]));
  page = drawn(<SelectionBar chosen={select(chosen)} read={select(read)} mayRemove={false} onClear={() => {}} />);
  return page.page.querySelector(".main") as HTMLButtonElement;
}

test("a document that failed keeps nobody from asking about the others", () => {
  const button = asking(["a", "b", "c"], ["a", "c"]);
  expect(button.textContent).toBe("Ask about the 2 that were read");
  expect(button.disabled).toBe(false);
  page.leave();
  expect(asking(["a"], ["a"]).textContent).toBe("Ask about these");
  page.leave();
  expect(asking(["a"], []).disabled).toBe(true);
});
