import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BackLayers, createBackLayers } from "../../src/components/backLayers";

/** The history of a browser: `back` is carried out later, as there. The test environment has no history to go back in. */
class OwnHistory {
  entries: { state: unknown; path: string }[] = [{ state: null, path: "/c/one" }];
  place = 0;

  get state(): unknown {
    return this.entries[this.place]?.state;
  }

  get path(): string {
    return this.entries[this.place]?.path ?? "";
  }

  pushState(state: unknown, _title: string, path = this.path): void {
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

/** Something that lies over the view. */
class Layer {
  isOpen = false;
  private remove = () => {};

  open(): void {
    this.isOpen = true;
    this.remove = layers.add(() => this.close());
  }

  close(): void {
    this.isOpen = false;
    this.remove();
  }
}

let isNarrow = true;
let own: OwnHistory;
let layers: BackLayers;
let source: Layer;
let search: Layer;
beforeEach(() => {
  vi.useFakeTimers();
  isNarrow = true;
  own = new OwnHistory();
  vi.stubGlobal("matchMedia", () => ({ matches: isNarrow }));
  vi.stubGlobal("history", own);
  layers = createBackLayers();
  [source, search] = [new Layer(), new Layer()];
});
afterEach(() => {
  layers.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Go back as the browser's button does. */
function goBack(): void {
  own.back();
  vi.runAllTimers();
}

test("on a phone Back closes what lies over the view, and the view stays", () => {
  source.open();
  goBack();
  expect(source.isOpen).toBe(false);
  expect(own.entries[own.place]).toEqual({ state: null, path: "/c/one" });
});

test("Back closes the last layer first", () => {
  source.open();
  search.open();
  goBack();
  expect([source.isOpen, search.isOpen]).toEqual([true, false]);
  goBack();
  expect(source.isOpen).toBe(false);
  expect(own.place).toBe(0);
});

test("a layer that is closed by its button leaves no entry to go back over", () => {
  source.open();
  search.open();
  expect(own.place).toBe(2);
  search.close();
  vi.runAllTimers();
  expect(own.place).toBe(1);
  search.open();
  search.close();
  source.close();
  vi.runAllTimers();
  expect(own.place).toBe(0);
});

test("a layer in the place of another one takes over its entry", () => {
  source.open();
  source.close();
  search.open();
  vi.runAllTimers();
  expect(own.place).toBe(1);
  goBack();
  expect(search.isOpen).toBe(false);
});

test("a layer that was opened again at once stays open, and Back still closes it", () => {
  source.open();
  source.close();
  vi.advanceTimersByTime(1);
  source.open();
  vi.runAllTimers();
  expect(source.isOpen).toBe(true);
  expect(own.place).toBe(1);
  goBack();
  expect(source.isOpen).toBe(false);
});

test("closing it to go to another view goes there and not back", () => {
  source.open();
  source.close();
  own.pushState(null, "", "/library");
  vi.runAllTimers();
  expect(own.path).toBe("/library");
});

test("coming back from that view opens nothing again, and going forward leads to the view", () => {
  source.open();
  source.close();
  own.pushState(null, "", "/library");
  vi.runAllTimers();
  goBack();
  expect(source.isOpen).toBe(false);
  expect(own.entries[own.place]).toEqual({ state: { layers: 0 }, path: "/c/one" });
  expect(own.entries[own.place + 1]?.path).toBe("/library");
  source.open();
  goBack();
  expect(source.isOpen).toBe(false);
  expect(own.path).toBe("/c/one");
});

test("what an entry of the history says of its view is kept while something lies over it", () => {
  own.replaceState({ request: 7 });
  source.open();
  expect(own.state).toMatchObject({ request: 7 });
});

test("on a wide screen a layer has no entry, and Back does not close it", () => {
  source.open();
  source.close();
  vi.runAllTimers();
  isNarrow = false;
  source.open();
  expect(own.place).toBe(0);
  own.pushState(null, "", "/library");
  goBack();
  expect(source.isOpen).toBe(true);
});

test("what the reader opened over a list is closed by Back on a wide screen too", () => {
  isNarrow = false;
  const close = vi.fn();
  layers.add(close, true);
  expect(own.place).toBe(1);
  goBack();
  expect(close).toHaveBeenCalledOnce();
  expect(own.entries[own.place]?.path).toBe("/c/one");
});
