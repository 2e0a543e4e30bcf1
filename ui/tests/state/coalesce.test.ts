import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCoalesced } from "../../src/state/coalesce";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("calls within the delay are one, later ones another", () => {
  const act = vi.fn();
  const soon = createCoalesced(act, 100);
  soon();
  soon();
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledOnce();
  soon();
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledTimes(2);
});
