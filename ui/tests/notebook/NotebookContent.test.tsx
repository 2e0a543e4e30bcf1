import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import { NotebookContent } from "../../src/notebook/NotebookContent";
import { type NotebookItem, notebookStore, type WholeNotebook } from "../../src/notebook/notebookStore";

vi.hoisted(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));

const item = (id: string, more: Partial<NotebookItem> = {}): NotebookItem => ({
  ...{ id, notebook: "n", kind: "text", text: id, comment: "", question: "", conversation: "", message: "" },
  ...{ sentences: [], citations: [], lost: [], created: 0, updated: 0 },
  ...more,
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

function show(kept: NotebookItem[], missing: string[] = []): string {
  const about = { id: "n", title: "Lakes", items: kept.length, workspace: "", created: 0, updated: 0 };
  const notebook: WholeNotebook = { ...about, kept, missing };
  act(() => root.render(<NotebookContent notebook={notebook} />));
  return place.textContent ?? "";
}

test("an empty notebook teaches what can be kept and how", () => {
  expect(show([])).toContain("a passage: select words in a source");
});

test("own words, comments and the question of an answer are shown in order", () => {
  const answer = item("b", { kind: "answer", text: "It is deep.", question: "How deep?", comment: "Really?" });
  const text = show([item("a", { text: "My **own** words." }), answer]);
  expect(text.indexOf("My own words.")).toBeLessThan(text.indexOf("It is deep."));
  expect(text).toContain("How deep?");
  expect(text).toContain("Really?");
});

test("a passage whose document is gone stays, says so and leads nowhere", () => {
  const citation = {
    n: 1,
    document: "gone",
    title: "Lakes",
    page: 2,
    label: "",
    path: "",
    lines: null,
    lit: [],
    boxes: [],
  };
  const passage = item("p", { kind: "passage", text: "Deep.", citations: [citation] as never });
  expect(show([passage], ["gone"])).toContain("The source was removed since.");
  expect(place.querySelector<HTMLButtonElement>(".kept-open")?.disabled).toBe(true);
});

test("a passage whose words are no longer in the document says so and still leads there", () => {
  const citation = {
    n: 1,
    document: "d",
    title: "Lakes",
    page: 2,
    label: "",
    path: "",
    lines: null,
    lit: [],
    boxes: [],
  };
  const passage = item("p", { kind: "passage", text: "Deep.", citations: [citation] as never });
  expect(show([passage])).not.toContain("no longer");
  expect(show([{ ...passage, lost: [1] }])).toContain("these words are no longer in it");
  expect(place.querySelector<HTMLButtonElement>(".kept-open")?.disabled).toBe(false);
});

test("a kept sentence names each document that it cites once, with its pages", () => {
  const cite = (n: number, document: string, title: string, page: number) => ({
    ...{ n, document, title, name: `${document}.pdf`, page, label: "", path: "", lines: null, url: null, lit: [] },
    boxes: [],
  });
  const citations = [cite(1, "a", "Lakes", 2), cite(2, "a", "Lakes", 5), cite(3, "b", "Dams", 1)];
  show([item("s", { kind: "sentence", text: "It is deep.", citations: citations as never })], ["b"]);
  const sources = [...place.querySelectorAll<HTMLButtonElement>(".kept-sources button")];
  expect(sources.map((each) => each.textContent)).toEqual(["Lakes, pp. 2, 5", "Dams, p. 1"]);
  expect(sources.map((each) => each.disabled)).toEqual([false, true]);
});

test("kept rows of a table are shown under their head", () => {
  show([item("p", { kind: "passage", text: "| Port | 1990 |\n| --- | --- |\n| Oslo \\| old | 20 |" })]);
  expect([...place.querySelectorAll("th")].map((each) => each.textContent)).toEqual(["Port", "1990"]);
  expect([...place.querySelectorAll("td")].map((each) => each.textContent)).toEqual(["Oslo | old", "20"]);
});

test("numbers in brackets in own words stay", () => {
  expect(show([item("a", { text: "As Smith shows [17, 21] and [3]." })])).toContain("As Smith shows [17, 21] and [3].");
});

test("own words that are being written are kept in their notebook when another one is opened", async () => {
  const keep = vi.spyOn(notebookStore, "keep").mockRejectedValue(new Error("not asked"));
  show([]);
  act(() => place.querySelector<HTMLButtonElement>(".notebook-write")?.click());
  const field = place.querySelector("textarea") as HTMLTextAreaElement;
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  act(() => {
    setValue?.call(field, "Ask for the survey.");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => root.render(null));
  expect(keep.mock.calls).toEqual([
    [{ kind: "text", text: "Ask for the survey." }, "Lakes", expect.objectContaining({ id: "n" })],
  ]);
  keep.mockRestore();
});

test("a kept passage names its section, and its words that answered are marked", () => {
  const place = { n: 1, document: "d", title: "Lakes", page: 2, label: "", path: "", lines: null, boxes: [] };
  const pin = { ...place, heading: "Depths", start: 10, end: 26, lit: [[13, 15]] };
  show([item("p", { kind: "passage", text: "It is 9 m deep.\n", citations: [pin] as never })]);
  expect(document.querySelector(".kept-passage mark")?.textContent).toBe("is");
  expect(document.querySelector(".kept-passage figcaption")?.textContent).toBe("Lakes, p. 2, Depths");
});
