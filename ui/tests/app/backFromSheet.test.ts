import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startBackFromSheet } from "../../src/app/backFromSheet";
import { notebookPanel } from "../../src/notebook/notebookStore";
import { clearViewer, closeViewer, openDocument, viewerStore } from "../../src/viewer/viewerStore";

/** The history of a browser: `back` is carried out later, as there. The test environment has no history to go back in. */
class OwnHistory {
  entries: { state: unknown; path: string }[] = [{ state: null, path: "/c/one" }];
  place = 0;

  get state(): unknown {
    return this.entries[this.place]?.state;
  }

  pushState(state: unknown, _title: string, path = this.entries[this.place]?.path ?? ""): void {
    this.entries.splice(++this.place, this.entries.length, { state, path });
  }

  replaceState(state: unknown): void {
    const entry = this.entries[this.place];
    if (entry) entry.state = state;
  }

  back(): void {
    setTimeout(() => {
      this.place = Math.max(0, this.place - 1);
      dispatchEvent(new PopStateEvent("popstate"));
    }, 5);
  }
}

let isNarrow = true;
let own: OwnHistory;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  isNarrow = true;
  own = new OwnHistory();
  vi.stubGlobal("matchMedia", () => ({ matches: isNarrow }));
  vi.stubGlobal("history", own);
  stop = startBackFromSheet();
});
afterEach(() => {
  stop();
  clearViewer();
  notebookPanel.set(false);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Go back as the browser's button does. */
function goBack(): void {
  own.back();
  vi.runAllTimers();
}

test("on a phone Back closes the source, and the conversation stays", () => {
  openDocument("lease");
  goBack();
  expect(viewerStore.get().isOpen).toBe(false);
  expect(own.entries[own.place]).toEqual({ state: null, path: "/c/one" });
});

test("a source that is closed by its button leaves no entry to go back over", () => {
  openDocument("lease");
  expect(own.place).toBe(1);
  closeViewer();
  vi.runAllTimers();
  expect(own.place).toBe(0);
});

test("the notebook and the source over it are one entry", () => {
  notebookPanel.set(true);
  openDocument("lease");
  notebookPanel.set(false);
  vi.runAllTimers();
  expect(own.place).toBe(1);
  goBack();
  expect(own.place).toBe(0);
  expect(viewerStore.get().isOpen).toBe(false);
});

test("a source that was opened again at once stays open, and Back still closes it", () => {
  openDocument("lease");
  closeViewer();
  vi.advanceTimersByTime(1);
  openDocument("lease");
  vi.runAllTimers();
  expect(viewerStore.get().isOpen).toBe(true);
  expect(own.place).toBe(1);
  goBack();
  expect(viewerStore.get().isOpen).toBe(false);
});

test("closing it to go to another view goes there and not back", () => {
  openDocument("lease");
  closeViewer();
  own.pushState(null, "", "/library");
  vi.runAllTimers();
  expect(own.entries[own.place]?.path).toBe("/library");
});

test("coming back from that view does not open the source again, and going forward leads to the view", () => {
  openDocument("lease");
  closeViewer();
  own.pushState(null, "", "/library");
  vi.runAllTimers();
  goBack();
  expect(viewerStore.get().isOpen).toBe(false);
  expect(own.entries[own.place]).toEqual({ state: null, path: "/c/one" });
  expect(own.entries[own.place + 1]?.path).toBe("/library");
});

test("after a source was closed by its button and the window was made wide, Back does not close the next one", () => {
  openDocument("lease");
  closeViewer();
  vi.runAllTimers();
  isNarrow = false;
  own.pushState(null, "", "/library");
  openDocument("lease");
  goBack();
  expect(viewerStore.get().isOpen).toBe(true);
});

test("Back closes a source that was opened in a view over which the notebook still lay", () => {
  notebookPanel.set(true);
  own.pushState(null, "", "/notebooks/one");
  openDocument("lease");
  goBack();
  expect(viewerStore.get().isOpen).toBe(false);
  expect(own.entries[own.place]?.path).toBe("/notebooks/one");
});

test("on a wide screen the source has no entry, and Back does not close it", () => {
  isNarrow = false;
  openDocument("lease");
  expect(own.place).toBe(0);
  own.pushState(null, "", "/library");
  goBack();
  expect(viewerStore.get().isOpen).toBe(true);
});
