import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WireEvent } from "../../src/api/types";
import { makeNearKey } from "../../src/conversation/citations/citationMarks";
import { EMPTY_CONVERSATION } from "../../src/conversation/conversationState";
import type { EventListener } from "../../src/conversation/eventStream";
import { EMPTY_THREAD, foldEvent } from "../../src/conversation/turns";
import { createViewerSync } from "../../src/conversation/viewerSync";
import { notebookPanel } from "../../src/notebook/notebookStore";
import { createStore } from "../../src/state/store";
import { closeViewer, type Mark, openMark, stepMark, viewerStore } from "../../src/viewer/viewerStore";
import { traceStore } from "../../src/viewer/viewerTrace";
import { numbered, type Part, told } from "./fixtures";

const listeners = new Set<EventListener>();
const conversationStore = {
  ...createStore(EMPTY_CONVERSATION),
  onEvent(listener: EventListener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
const sync = createViewerSync(conversationStore);
let stop: () => void;
let count = 0;
const PARTS: Part[] = [
  ["", "One.", [1]],
  [" ", "Two.", [2]],
];

/** Does what the event stream does when events arrive. */
function come(events: WireEvent[], isLive: boolean): void {
  act(() => {
    for (const event of events) {
      conversationStore.set((now) => ({
        ...now,
        connection: "open",
        pending: null,
        thread: foldEvent(now.thread, event),
      }));
      for (const listener of listeners) listener(event, isLive);
    }
  });
}

function over(): void {
  act(() => conversationStore.set((now) => ({ ...now, connection: "idle" })));
}

beforeEach(() => {
  vi.stubGlobal("innerWidth", 1360);
  conversationStore.set((now) => ({
    ...now,
    id: `c${++count}`,
    thread: EMPTY_THREAD,
    pending: null,
    connection: "open",
    isAskedElsewhere: false,
    problem: null,
  }));
  stop = sync.start();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test("an answer that cites for the first time opens its source by itself", () => {
  come(told(PARTS).slice(0, -1), true);
  expect(viewerStore.get()).toMatchObject({ isOpen: true, chosenKey: "m1:1", document: "d1" });
  expect(viewerStore.get().marks.map(({ key }) => key)).toEqual(["m1:1", "m1:2"]);
});

test("further citations of the same answer do not take the reader elsewhere", () => {
  const events = told(PARTS);
  const first = events.findIndex(({ type }) => type === "citation") + 1;
  come(events.slice(0, first), true);
  const other = viewerStore.get().marks[0];
  act(() => other && openMark({ ...other, key: "elsewhere" }));
  come(events.slice(first), true);
  expect(viewerStore.get().chosenKey).toBe("elsewhere");
});

test("on a narrow screen nothing opens by itself, but the marks are there", () => {
  vi.stubGlobal("innerWidth", 800);
  come(told(PARTS), true);
  over();
  expect(viewerStore.get()).toMatchObject({ isOpen: false, marks: [{ n: 1 }, { n: 2 }] });
});

test.each([
  [1200, true, false],
  [1200, false, true],
  [1201, true, true],
])("in %i pixels, with the notebook open: %s, a source opens by itself: %s", (width, hasNotebook, isOpen) => {
  vi.stubGlobal("innerWidth", width);
  notebookPanel.set(hasNotebook);
  come(told(PARTS), true);
  over();
  notebookPanel.set(false);
  expect(viewerStore.get().isOpen).toBe(isOpen);
});

test("a reader who has closed the source is left in peace for this conversation", () => {
  come(told(PARTS), true);
  act(() => closeViewer());
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  come(second, true);
  over();
  expect(viewerStore.get().isOpen).toBe(false);
});

test("coming back opens the first citation of the last answer", () => {
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  come([...told(PARTS), ...second], false);
  expect(viewerStore.get().isOpen).toBe(false);
  over();
  expect(viewerStore.get()).toMatchObject({ isOpen: true, chosenKey: "m2:1" });
});

test("an answer that another tab asked for leaves the reader at the source that is open", () => {
  come(told(PARTS), true);
  over();
  act(() => viewerStore.set((now) => ({ ...now, document: "read", chosenKey: null })));
  act(() => conversationStore.set((now) => ({ ...now, isAskedElsewhere: true })));
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  const turned = { type: "navigate", data: { document: "d7", page: 12 } } as const;
  come([...second, ...numbered([turned], "m2", 150)], true);
  over();
  expect(viewerStore.get()).toMatchObject({ isOpen: true, document: "read" });
  expect(viewerStore.get().marks).toHaveLength(4);
});

test("a page that a live answer turns to is opened; one of an old answer is not", () => {
  const turn: Pick<WireEvent, "type" | "data"> = { type: "navigate", data: { document: "d7", page: 12 } };
  come([...told(PARTS).slice(0, 1), ...numbered([turn], "m1", 10)], false);
  expect(viewerStore.get().document).toBeNull();
  come(numbered([turn], "m1", 20), true);
  expect(viewerStore.get()).toMatchObject({ document: "d7", page: 12, isOpen: true });
});

test("a passage that came nearest stays lit while it is looked at, and goes with its answer", () => {
  come(told(PARTS), true);
  const cited = viewerStore.get().marks[0];
  const key = makeNearKey("m1", { document: "d9", start: 0 });
  act(() => cited && openMark({ ...cited, key, document: "d9", n: null }));
  act(() => conversationStore.set((now) => ({ ...now, ratings: { m1: 1 } })));
  expect(viewerStore.get().marks.map((mark) => mark.key)).toEqual(["m1:1", "m1:2", key]);
  act(() => conversationStore.set((now) => ({ ...now, thread: EMPTY_THREAD })));
  expect(viewerStore.get().marks).toEqual([]);
});

test("another conversation begins with a clear desk", () => {
  come(told(PARTS), true);
  act(() => conversationStore.set((now) => ({ ...now, id: "other", thread: EMPTY_THREAD, connection: "loading" })));
  expect(viewerStore.get()).toMatchObject({ isOpen: false, marks: [], document: null });
});

test("a new question's conversation getting its id clears nothing that is open", () => {
  act(() => conversationStore.set((now) => ({ ...now, id: null, thread: EMPTY_THREAD, connection: "idle" })));
  act(() => viewerStore.set((now) => ({ ...now, document: "d1", isOpen: true })));
  act(() => conversationStore.set((now) => ({ ...now, pending: "How?" })));
  act(() => conversationStore.set((now) => ({ ...now, id: "born" })));
  expect(viewerStore.get()).toMatchObject({ document: "d1", isOpen: true });
});

test("who steps to a citation that is out of view has it brought there", () => {
  come(told(PARTS), true);
  const view = document.createElement("div");
  view.className = "talk";
  view.innerHTML = '<button class="chip" data-mark="m1:2"></button>';
  document.body.append(view);
  const chip = view.firstElementChild as HTMLElement;
  const scrolled = vi.fn();
  chip.scrollIntoView = scrolled;
  chip.getBoundingClientRect = () => new DOMRect(0, 900, 10, 10);
  view.getBoundingClientRect = () => new DOMRect(0, 0, 500, 500);
  act(() => stepMark(1));
  expect(scrolled).toHaveBeenCalledOnce();
  chip.getBoundingClientRect = () => new DOMRect(0, 100, 10, 10);
  act(() => stepMark(-1));
  act(() => stepMark(1));
  expect(scrolled).toHaveBeenCalledOnce();
  view.remove();
});

test("a source that the reader has closed and opened again follows the next answer", () => {
  come(told(PARTS), true);
  act(closeViewer);
  act(() => viewerStore.set((now) => ({ ...now, isOpen: true, request: now.request + 1 })));
  come(
    told(PARTS).map((event) => ({ ...event, messageId: "m2", seq: event.seq + 100 })),
    true,
  );
  expect(viewerStore.get()).toMatchObject({ isOpen: true, chosenKey: "m2:1" });
});

const LIGHT = {
  document: "d7",
  evidence: null,
  importance: "high",
  boxes: [{ page: 4, width: 9, height: 9, rects: [] }],
};
const asEvent = (type: string, data: object) => ({ type, data }) as Pick<WireEvent, "type" | "data">;

test("a command of the answer wins over its first citation, whichever comes first", () => {
  const events = told(PARTS);
  const first = events.findIndex(({ type }) => type === "citation") + 1;
  come(events.slice(0, 1), true);
  come(numbered([asEvent("navigate", { document: "d7", page: 12 })], "m1", 50), true);
  come(events.slice(1, first), true);
  expect(viewerStore.get()).toMatchObject({ document: "d7", page: 12, chosenKey: null });
  come(numbered([asEvent("highlight", LIGHT)], "m1", 60), true);
  expect(viewerStore.get()).toMatchObject({ document: "d7", page: 4, chosenKey: "m1:lit-0" });
});

test("coming back opens the page or the highlight that the last answer leads to, whichever it named last", () => {
  const [page, light] = [asEvent("navigate", { document: "d7", page: 12 }), asEvent("highlight", LIGHT)];
  come([...told(PARTS), ...numbered([light, page], "m1", 50)], false);
  over();
  expect(viewerStore.get()).toMatchObject({ isOpen: true, document: "d7", page: 12, chosenKey: null });
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  act(() => conversationStore.set((now) => ({ ...now, id: "other", thread: EMPTY_THREAD, connection: "loading" })));
  come([...second, ...numbered([page, light, asEvent("navigate", { document: null, page: 3 })], "m2", 150)], false);
  over();
  expect(viewerStore.get()).toMatchObject({ isOpen: true, page: 4, chosenKey: "m2:lit-0" });
});

test.each(["narrow", "closed"])("a command covers no answer: on a screen or for a reader that is %s", (why) => {
  if (why === "narrow") vi.stubGlobal("innerWidth", 800);
  come(told(PARTS), true);
  act(closeViewer);
  come(numbered([asEvent("navigate", { document: "d7", page: 12 })], "m1", 50), true);
  come(numbered([asEvent("highlight", LIGHT)], "m1", 60), true);
  expect(viewerStore.get().isOpen).toBe(false);
  // A source that the reader has opened goes where the answer leads.
  act(() => openMark(viewerStore.get().marks[0] as Mark));
  come(numbered([asEvent("navigate", { document: "d7", page: 13 })], "m1", 70), true);
  expect(viewerStore.get()).toMatchObject({ isOpen: true, document: "d7", page: 13 });
});

test("a highlight that matters less lights, and leaves the reader at the citation", () => {
  come(told(PARTS), true);
  come(numbered([asEvent("highlight", { ...LIGHT, importance: "medium" })], "m1", 60), true);
  expect(viewerStore.get()).toMatchObject({ chosenKey: "m1:1" });
  expect(viewerStore.get().marks.at(-1)?.key).toBe("m1:lit-0");
});

test("with the trace on, the console tells each step of a command, and else nothing", () => {
  const said = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const turn = asEvent("navigate", { document: "d7", page: 12 });
  come([...told(PARTS).slice(0, 1), ...numbered([turn], "m1", 50)], true);
  expect(said).not.toHaveBeenCalled();
  traceStore.set(true);
  come(numbered([turn], "m1", 60), true);
  traceStore.set(false);
  const lines = said.mock.calls.map(([line]) => line);
  expect(lines).toEqual(["[viewer] parser: Navigate match: page 12", "[viewer] container: opens page 12"]);
  said.mockRestore();
});
