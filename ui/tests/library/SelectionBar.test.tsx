import { afterEach, expect, test, vi } from "vitest";
import { toastStore } from "../../src/components/toastStore";
import type { Document } from "../../src/library/documents";
import { SelectionBar } from "../../src/library/SelectionBar";
import { type Drawn, drawn } from "../conversation/render";

let page: Drawn;
afterEach(() => page.leave());

/** The button that asks about the selected documents, of which these were read. */
function asking(chosen: string[], read: string[]): HTMLButtonElement {
  const select = (ids: string[]) => new Map(ids.map((id) => [id, { id, title: `Paper ${id}` } as Document]));
  page = drawn(
    <SelectionBar chosen={select(chosen)} hidden={0} read={select(read)} mayRemove={false} onClear={() => {}} />,
  );
  return page.page.querySelector(".main") as HTMLButtonElement;
}

/** The line that says why one cannot ask, as a screen reader is told of it. */
function tellRefusal(): string | undefined {
  return page.page.querySelector("p[role=status]")?.textContent ?? undefined;
}

test("a document that failed keeps nobody from asking about the others", () => {
  const button = asking(["a", "b", "c"], ["a", "c"]);
  expect(button.textContent).toBe("Ask about the 2 that were read");
  expect(button.disabled).toBe(false);
  page.leave();
  expect(asking(["a"], ["a"]).textContent).toBe("Ask about these");
  page.leave();
  expect(asking(["a"], []).disabled).toBe(true);
  expect(tellRefusal()).toBe("None of the selected documents was read.");
});

test("more documents than a question may be about cannot be asked about, and a line says so", () => {
  const many = Array.from({ length: 1001 }, (_, index) => `d${index}`);
  const button = asking(many, many);
  expect(button.disabled).toBe(true);
  expect(tellRefusal()).toContain("at most 1,000 documents");
  page.leave();
  expect(asking(many, many.slice(1)).disabled).toBe(false);
  expect(tellRefusal()).toBe("");
});

test("documents that a filter hides are counted beside the others, and when they are removed", () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  const chosen = new Map(["a", "b", "c"].map((id) => [id, { id, title: id } as Document]));
  const bar = (hidden: number) =>
    drawn(<SelectionBar chosen={chosen} hidden={hidden} read={chosen} mayRemove onClear={() => {}} />);
  page = bar(0);
  expect(page.page.querySelector("span[role=status]")?.textContent).toBe("3 selected");
  page.leave();
  page = bar(2);
  expect(page.page.querySelector("span[role=status]")?.textContent).toBe("3 selected, 2 not shown");
  page.page.querySelector<HTMLButtonElement>(".danger")?.click();
  expect(toastStore.get().at(-1)?.text).toBe("3 documents were removed, 2 of them not shown.");
});
