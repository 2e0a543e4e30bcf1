import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Composer } from "../../../src/conversation/composer/Composer";
import {
  addToScope,
  focusStore,
  notebookScopeStore,
  projectStore,
  restoreScope,
  saveScope,
  scopeStore,
  tagScopeStore,
} from "../../../src/conversation/composer/questionOptions";
import { makeRequest } from "../../../src/conversation/composer/questionRequest";
import { projectsStore } from "../../../src/projects/projectsStore";
import { viewerStore } from "../../../src/viewer/viewerStore";
import { type Drawn, drawn } from "../render";

let composer: Drawn;
const onAsk = vi.fn<(message: string) => Promise<boolean>>();

function field(): HTMLTextAreaElement {
  const found = composer.page.querySelector("textarea");
  if (!found) throw new Error("There is no field.");
  return found;
}

function write(text: string): void {
  act(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    set?.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  });
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  onAsk.mockReset().mockResolvedValue(true);
  scopeStore.set([]);
  tagScopeStore.set([]);
  projectStore.set("");
  projectsStore.set([]);
  vi.spyOn(projectsStore, "load").mockResolvedValue();
  focusStore.set("all");
  composer = drawn(<Composer id="c1" onAsk={onAsk} />);
});

afterEach(() => composer.leave());

test("Enter sends, and the field is empty for the next question", async () => {
  write("  How high? ");
  await press("Enter");
  expect(onAsk).toHaveBeenCalledExactlyOnceWith("How high?");
  expect(field().value).toBe("");
});

test("Shift and Enter, and an Enter that chooses a word of an input method, send nothing", async () => {
  write("高い");
  await press("Enter", { shiftKey: true });
  await press("Enter", { isComposing: true });
  await press("Enter", { keyCode: 229 });
  expect(onAsk).not.toHaveBeenCalled();
});

test("nothing but spaces is no question", async () => {
  write("   ");
  await press("Enter");
  expect(onAsk).not.toHaveBeenCalled();
});

test("what is written is kept with its conversation until it is sent", async () => {
  write("half a que");
  composer.draw(<Composer id="c2" onAsk={onAsk} />);
  expect(field().value).toBe("");
  composer.draw(<Composer id="c1" onAsk={onAsk} />);
  expect(field().value).toBe("half a que");
  await press("Enter");
  composer.draw(<Composer id="c2" onAsk={onAsk} />);
  composer.draw(<Composer id="c1" onAsk={onAsk} />);
  expect(field().value).toBe("");
});

test("a question that was refused comes back into the field", async () => {
  onAsk.mockResolvedValue(false);
  write("How high?");
  await press("Enter");
  expect(field().value).toBe("How high?");
});

test("a document that is chosen is shown, and a click takes it out", () => {
  act(() => addToScope({ id: "d1", title: "<b>The dam</b>" }));
  const button = composer.page.querySelector<HTMLButtonElement>(".attachment button");
  expect(button?.getAttribute("aria-label")).toBe("Remove <b>The dam</b> from the question");
  expect(composer.page.querySelector(".attachment b")).toBeNull();
  act(() => button?.click());
  expect(scopeStore.get()).toEqual([]);
});

test("a tag that is chosen is shown, names the documents of the question, and a click takes it out", () => {
  act(() => tagScopeStore.set(["lease"]));
  expect(composer.page.querySelector("[aria-haspopup=dialog]")?.textContent).toBe("lease");
  const button = composer.page.querySelector<HTMLButtonElement>(".attachment button");
  expect(button?.getAttribute("aria-label")).toBe("Remove lease from the question");
  act(() => button?.click());
  expect(tagScopeStore.get()).toEqual([]);
});

test("a project that is chosen is shown by its name, its files can be opened, and a click takes it out", () => {
  act(() => {
    projectsStore.set([{ id: "abc", name: "harbour", folder: "/srv/harbour" }]);
    projectStore.set("abc");
  });
  expect(composer.page.querySelector(".attachment")?.textContent).toBe("harbour");
  expect(field().placeholder).toBe("Ask about harbour, or for a change in it…");
  expect(composer.page.querySelector("[aria-haspopup=dialog]")?.textContent).toBe("harbour");
  expect(makeRequest("Why?")).toMatchObject({ message: "Why?", project: "abc" });
  const [browse, remove] = composer.page.querySelectorAll<HTMLButtonElement>(".attachment button");
  expect(browse?.getAttribute("aria-label")).toBe("Show the files of harbour");
  act(() => browse?.click());
  expect(viewerStore.get().file).toEqual({ project: "abc", path: "" });
  act(() => remove?.click());
  expect(makeRequest("Why?")).not.toHaveProperty("project");
});

test("a conversation keeps its project in this tab", () => {
  act(() => projectStore.set("abc"));
  saveScope("c1");
  act(() => restoreScope("c2"));
  expect(projectStore.get()).toBe("");
  act(() => restoreScope("c1"));
  expect(projectStore.get()).toBe("abc");
});

test("of many documents of a question the first are shown, until all are asked for", () => {
  const names = () => [...composer.page.querySelectorAll(".attachment-name")].map((each) => each.textContent);
  const titles = ["One", "Two", "Three", "Four"];
  act(() => {
    for (const title of titles.slice(0, 3)) addToScope({ id: title, title });
  });
  expect(names()).toEqual(titles.slice(0, 3));
  act(() => addToScope({ id: "Four", title: "Four" }));
  expect(names()).toEqual(titles.slice(0, 2));
  const more = composer.page.querySelector<HTMLButtonElement>(".attachment-more");
  expect(more?.textContent).toBe("and 2 more");
  act(() => more?.click());
  expect(names()).toEqual(titles);
  expect(more?.getAttribute("aria-expanded")).toBe("true");
});

test("a question about a notebook names it once, and the empty field says what it is about", () => {
  act(() => notebookScopeStore.set({ id: "n", title: "Lakes of the north" }));
  expect(composer.page.textContent?.match(/Lakes of the north/g)).toHaveLength(1);
  expect(field().placeholder).toBe("Ask about this notebook…");
  act(() => notebookScopeStore.set(null));
  expect(field().placeholder).toBe("Ask about your documents…");
});
