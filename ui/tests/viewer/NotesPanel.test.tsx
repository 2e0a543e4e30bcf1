import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import { type Annotation, annotationStore } from "../../src/viewer/annotationStore";
import { NotesPanel } from "../../src/viewer/NotesPanel";

vi.hoisted(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));

const note = (more: Partial<Annotation>): Annotation => ({
  ...{ id: "a", document: "d", title: "Lakes", start: 3, end: 7, quote: "deep", page: 4, label: "iv" },
  ...{ colour: "green", comment: "", state: "found", boxes: [], created: 0, updated: 0 },
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

function show(...annotations: Annotation[]) {
  const went: string[] = [];
  annotationStore.set({ document: "d", annotations, chosen: null, isWriting: false });
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
