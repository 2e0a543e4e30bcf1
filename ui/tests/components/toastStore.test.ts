import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createToastStore } from "../../src/components/toastStore";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a message goes by itself after its time, or when it is dropped", () => {
  const toasts = createToastStore();
  toasts.show("one", { label: "Undo", run: () => undefined });
  const drop = toasts.show("two", undefined, 20);
  expect(toasts.get().map(({ text }) => text)).toEqual(["one", "two"]);
  vi.advanceTimersByTime(6000);
  expect(toasts.get().map(({ text }) => text)).toEqual(["two"]);
  drop();
  expect(toasts.get()).toEqual([]);
});

test("a message takes the place of the one before, unless that one can be undone", () => {
  const toasts = createToastStore();
  const undo = { label: "Undo", run: () => undefined };
  for (const text of ["one", "two"]) toasts.show(text, undo);
  for (const text of ["three", "four"]) toasts.show(text);
  expect(toasts.get().map(({ text }) => text)).toEqual(["two", "four"]);
});
