import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WireEvent } from "../../src/api/shapes";
import { nearKey } from "../../src/conversation/marks";
import { useDesk } from "../../src/conversation/opening";
import { talking } from "../../src/conversation/talking";
import { fold, SILENCE } from "../../src/conversation/turns";
import { choose, close, desk, step } from "../../src/desk";
import { type Drawn, drawn } from "./drawn";
import { numbered, type Part, told } from "./made";

const line = vi.hoisted(() => ({ listeners: new Set<(event: WireEvent, isLive: boolean) => void>() }));
vi.mock("../../src/conversation/line", () => ({
  hear: (listener: (event: WireEvent, isLive: boolean) => void) => {
    line.listeners.add(listener);
    return () => line.listeners.delete(listener);
  },
  follow: async () => {},
  heard: async () => {},
}));

let page: Drawn;
let count = 0;
const PARTS: Part[] = [
  ["", "One.", [1]],
  [" ", "Two.", [2]],
];

function Following() {
  useDesk();
  return null;
}

/** What the line does when events come. */
function come(events: WireEvent[], isLive: boolean): void {
  act(() => {
    for (const event of events) {
      talking.set((now) => ({ ...now, line: "open", pending: null, talk: fold(now.talk, event) }));
      for (const listener of line.listeners) listener(event, isLive);
    }
  });
}

function over(): void {
  act(() => talking.set((now) => ({ ...now, line: "idle" })));
}

beforeEach(() => {
  vi.stubGlobal("innerWidth", 1360);
  talking.set((now) => ({ ...now, id: `c${++count}`, talk: SILENCE, pending: null, line: "open", problem: null }));
  page = drawn(<Following />);
});

afterEach(() => {
  page.leave();
  vi.unstubAllGlobals();
});

test("an answer that cites for the first time opens its source by itself", () => {
  come(told(PARTS).slice(0, -1), true);
  expect(desk.get()).toMatchObject({ isOpen: true, chosen: "m1:1", document: "d1" });
  expect(desk.get().marks.map(({ key }) => key)).toEqual(["m1:1", "m1:2"]);
});

test("further citations of the same answer do not take the reader elsewhere", () => {
  const events = told(PARTS);
  const first = events.findIndex(({ type }) => type === "citation") + 1;
  come(events.slice(0, first), true);
  const other = desk.get().marks[0];
  act(() => other && choose({ ...other, key: "elsewhere" }));
  come(events.slice(first), true);
  expect(desk.get().chosen).toBe("elsewhere");
});

test("on a narrow screen nothing opens by itself, but the marks are there", () => {
  vi.stubGlobal("innerWidth", 800);
  come(told(PARTS), true);
  over();
  expect(desk.get()).toMatchObject({ isOpen: false, marks: [{ n: 1 }, { n: 2 }] });
});

test("a reader who has closed the source is left in peace for this conversation", () => {
  come(told(PARTS), true);
  act(() => close());
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  come(second, true);
  over();
  expect(desk.get().isOpen).toBe(false);
});

test("coming back opens the first citation of the last answer", () => {
  const second = told(PARTS).map((each) => ({ ...each, messageId: "m2", seq: each.seq + 100 }));
  come([...told(PARTS), ...second], false);
  expect(desk.get().isOpen).toBe(false);
  over();
  expect(desk.get()).toMatchObject({ isOpen: true, chosen: "m2:1" });
});

test("a page that a live answer turns to is opened; one of an old answer is not", () => {
  const turn: Pick<WireEvent, "type" | "data"> = { type: "navigate", data: { document: "d7", page: 12 } };
  come([...told(PARTS).slice(0, 1), ...numbered([turn], "m1", 10)], false);
  expect(desk.get().document).toBeNull();
  come(numbered([turn], "m1", 20), true);
  expect(desk.get()).toMatchObject({ document: "d7", page: 12, isOpen: true });
});

test("a passage that came nearest stays lit while it is looked at, and goes with its answer", () => {
  come(told(PARTS), true);
  const cited = desk.get().marks[0];
  const key = nearKey("m1", { document: "d9", start: 0 });
  act(() => cited && choose({ ...cited, key, document: "d9", n: null }));
  act(() => talking.set((now) => ({ ...now, ratings: { m1: 1 } })));
  expect(desk.get().marks.map((mark) => mark.key)).toEqual(["m1:1", "m1:2", key]);
  act(() => talking.set((now) => ({ ...now, talk: SILENCE })));
  expect(desk.get().marks).toEqual([]);
});

test("another conversation begins with a clear desk", () => {
  come(told(PARTS), true);
  act(() => talking.set((now) => ({ ...now, id: "other", talk: SILENCE, line: "loading" })));
  expect(desk.get()).toMatchObject({ isOpen: false, marks: [], document: null });
});

test("a new question's conversation getting its id clears nothing that is open", () => {
  act(() => talking.set((now) => ({ ...now, id: null, talk: SILENCE, line: "idle" })));
  act(() => desk.set((now) => ({ ...now, document: "d1", isOpen: true })));
  act(() => talking.set((now) => ({ ...now, pending: "How?" })));
  act(() => talking.set((now) => ({ ...now, id: "born" })));
  expect(desk.get()).toMatchObject({ document: "d1", isOpen: true });
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
  act(() => step(1));
  expect(scrolled).toHaveBeenCalledOnce();
  chip.getBoundingClientRect = () => new DOMRect(0, 100, 10, 10);
  act(() => step(-1));
  act(() => step(1));
  expect(scrolled).toHaveBeenCalledOnce();
  view.remove();
});
