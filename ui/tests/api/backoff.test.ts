import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitForRetry } from "../../src/api/backoff";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function lasts(attempt: number): Promise<number> {
  const began = Date.now();
  const waiting = waitForRetry(attempt, new AbortController().signal);
  await vi.runAllTimersAsync();
  await waiting;
  return Date.now() - began;
}

test("each attempt waits longer than the one before, and none for ever", async () => {
  const waits = [];
  for (let attempt = 0; attempt < 20; attempt++) waits.push(await lasts(attempt));
  expect(waits.slice(0, 4)).toEqual([...new Set(waits.slice(0, 4))].sort((a, b) => a - b));
  expect(waits.at(-1)).toBe(waits[4]);
});

test("a network that is back, or nobody who waits, ends it at once", async () => {
  const leaving = new AbortController();
  const [one, other] = [waitForRetry(4, new AbortController().signal), waitForRetry(4, leaving.signal)];
  leaving.abort();
  await other;
  window.dispatchEvent(new Event("online"));
  await one;
  expect(vi.getTimerCount()).toBe(0);
});

test("a server that is away for long leaves no listeners behind", async () => {
  const leaving = new AbortController();
  const added = [vi.spyOn(window, "addEventListener"), vi.spyOn(leaving.signal, "addEventListener")];
  const removed = [vi.spyOn(window, "removeEventListener"), vi.spyOn(leaving.signal, "removeEventListener")];
  for (let attempt = 0; attempt < 3; attempt++) {
    const waiting = waitForRetry(attempt, leaving.signal);
    await vi.runAllTimersAsync();
    await waiting;
  }
  for (const [at, spy] of added.entries()) {
    expect(spy).toHaveBeenCalledTimes(3);
    expect(removed[at]?.mock.calls.map((call) => call.slice(0, 2))).toEqual(
      spy.mock.calls.map((call) => call.slice(0, 2)),
    );
  }
});
