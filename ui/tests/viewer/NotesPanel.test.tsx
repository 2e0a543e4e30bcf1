import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import { type Annotation, annotationRemoval, annotationStore } from "../../src/viewer/annotationStore";
import { NotesPanel } from "../../src/viewer/NotesPanel";

const fetched = vi.hoisted(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const note = (more: Partial<Annotation>): Annotation => ({
  ...{ id: "a", document: "d", title: "Lakes", start: 3, end: 7, quote: "deep", page: 4, label: "iv" },
  ...{ colour: "green", comment: "", state: "found", boxes: [], created: 0, updated: 0 },
  ...more,
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json([]));
  annotationRemoval.keep("a");
  chosenLanguage.set("en");
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

function show(...annotations: Annotation[]) {
  const went: string[] = [];
  annotationStore.set({ document: "d", annotations, chosen: null, isWriting: false, isNew: false });
  act(() => root.render(<NotesPanel document="d" onGo={({ id }) => went.push(id)} />));
  return went;
}

test("a highlight names its page and its colour, and leads to its words", () => {
  const went = show(note({ comment: "Why?" }));
  const item = place.querySelector(".note");
  expect(item?.textContent).toContain("green");
  expect(item?.textContent).toContain("iv");
  expect(item?.textContent).toContain("Why?");
  act(() => place.querySelector<HTMLButtonElement>(".note-open")?.click());
  expect(went).toEqual(["a"]);
});

test("a highlight whose words are gone says so and leads nowhere", () => {
  show(note({ state: "lost" }));
  expect(place.textContent).toContain("no longer contains these words");
  expect(place.querySelector<HTMLButtonElement>(".note-open")?.disabled).toBe(true);
});

test("without highlights the panel tells how to make one", () => {
  show();
  expect(place.textContent).toContain("Select words in the source");
});

/** The field for the comment on a highlight, with these words in it. */
async function write(words: string, isNew = true) {
  show(note({}));
  fetched.mockImplementation(async ({ method }: Request) =>
    Response.json(method === "GET" ? [] : note({ comment: words })),
  );
  act(() => annotationStore.choose("a", true, isNew));
  const field = place.querySelector("textarea") as HTMLTextAreaElement;
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  await act(async () => {
    setValue?.call(field, words);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return field;
}
const pressEscape = (field: HTMLElement) =>
  act(async () => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
const listSaved = () =>
  Promise.all(
    fetched.mock.calls
      .map(([request]) => request as Request)
      .filter(({ method }) => method === "PATCH")
      .map((request) => request.json()),
  );
const isRemoved = () => annotationRemoval.gone.get().has("a");

test("a comment that is being written is saved when the reader presses Escape", async () => {
  await pressEscape(await write("Is this net of tax?"));
  expect(await listSaved()).toEqual([{ comment: "Is this net of tax?" }]);
  expect(place.querySelector("textarea")).toBeNull();
  expect(isRemoved()).toBe(false);
});

test("a comment that is being written is saved when the reader opens another document", async () => {
  await write("Is this net of tax?");
  await act(async () => annotationStore.load("e"));
  expect(await listSaved()).toEqual([{ comment: "Is this net of tax?" }]);
  expect(isRemoved()).toBe(false);
});

test("a comment that was saved is not saved again when its field goes", async () => {
  await write("Is this net of tax?");
  await act(async () => place.querySelector<HTMLButtonElement>(".words-field .main")?.click());
  expect(await listSaved()).toEqual([{ comment: "Is this net of tax?" }]);
});

test("whoever cancels a comment on new words discards it, with the highlight that was made for it", async () => {
  await write("Is this net of tax?");
  await act(async () => place.querySelector<HTMLButtonElement>(".words-acts button")?.click());
  expect(await listSaved()).toEqual([]);
  expect(isRemoved()).toBe(true);
});

test("a comment that was never written leaves no highlight that was made for it", async () => {
  await pressEscape(await write("  "));
  expect(isRemoved()).toBe(true);
  act(() => annotationRemoval.keep("a"));
  await write("");
  await act(async () => annotationStore.load("e"));
  expect(isRemoved()).toBe(true);
  expect(await listSaved()).toEqual([]);
});

test("a highlight that was there before stays without a comment", async () => {
  await pressEscape(await write("", false));
  expect(isRemoved()).toBe(false);
});
