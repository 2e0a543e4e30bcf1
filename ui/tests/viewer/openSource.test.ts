import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notebookPanel } from "../../src/notebook/notebookStore";
import { offerPlaceBeside, openSource } from "../../src/viewer/openSource";
import { clearViewer, type Mark, viewerStore } from "../../src/viewer/viewerStore";

const MARK: Mark = {
  ...{ key: "found:kept-1:1", document: "lease", title: "Lease", kind: null, tone: "pin", n: 1, page: 2, label: "" },
  ...{ start: 40, end: 60, boxes: [], quote: "", passage: null },
};

let isNarrow = false;
beforeEach(() => {
  isNarrow = false;
  vi.stubGlobal("matchMedia", () => ({ matches: isNarrow }));
  history.replaceState(null, "", "/settings");
  notebookPanel.set(true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  clearViewer();
});

test("beside a view that has a place for it, the source opens there and the address stays", () => {
  const leave = offerPlaceBeside();
  openSource(MARK);
  leave();
  expect(viewerStore.get()).toMatchObject({ document: "lease", chosenKey: MARK.key, isOpen: true });
  expect(location.pathname).toBe("/settings");
});

test("elsewhere the document's own page opens at the passage, and no viewer waits for the next view", () => {
  offerPlaceBeside()();
  openSource(MARK);
  expect(location.pathname + location.search).toBe("/d/lease?span=40-60");
  expect(viewerStore.get().isOpen).toBe(false);
  expect(notebookPanel.get()).toBe(true);
});

test("a mark pressed twice asks for its passage again, and leaves one entry to go back over", () => {
  vi.spyOn(Date, "now").mockReturnValueOnce(1).mockReturnValueOnce(2);
  openSource(MARK);
  const entries = history.length;
  expect(history.state).toEqual({ request: 1 });
  openSource(MARK);
  expect(history.state).toEqual({ request: 2 });
  expect(history.length).toBe(entries);
});

test("on a phone the notebook makes room for the document", () => {
  isNarrow = true;
  openSource(MARK);
  expect(notebookPanel.get()).toBe(false);
});
