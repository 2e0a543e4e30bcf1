import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createToastStore } from "../../src/components/toastStore";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a message goes by itself after its time, or when it is dropped", () => {
  const toasts = createToastStore();
  toasts.show("one");
  const drop = toasts.show("two", undefined, 20);
  expect(toasts.get().map(({ text }) => text)).toEqual(["one", "two"]);
  vi.advanceTimersByTime(6000);
  expect(toasts.get().map(({ text }) => text)).toEqual(["two"]);
  drop();
  expect(toasts.get()).toEqual([]);
});

test("no more than three messages are shown, the latest", () => {
  const toasts = createToastStore();
  for (const text of ["one", "two", "three", "four"]) toasts.show(text);
  expect(toasts.get().map(({ text }) => text)).toEqual(["two", "three", "four"]);
});
