import { expect, test } from "vitest";
import { advanceBatch, estimateSeconds, measureRate, NO_BATCH } from "../../src/library/readingBatch";

test("a batch counts what is done, also when more is added, and tells how long it takes", () => {
  let batch = advanceBatch(NO_BATCH, 10, 0);
  expect(measureRate(batch, 1000)).toBeNull();
  batch = advanceBatch(batch, 8, 30_000);
  expect(estimateSeconds(batch, 30_000)).toBeNull();
  batch = advanceBatch(batch, 12, 40_000);
  batch = advanceBatch(batch, 10, 60_000);
  expect(batch).toEqual({ left: 10, done: 4, since: 0 });
  expect(measureRate(batch, 60_000)).toBe(4);
  expect(estimateSeconds(batch, 60_000)).toBe(150);
});

test("a batch ends with its last document, and the next begins from nothing", () => {
  const batch = advanceBatch(advanceBatch(NO_BATCH, 2, 0), 0, 1000);
  expect(batch).toBe(NO_BATCH);
  expect(advanceBatch(batch, 1, 5000)).toEqual({ left: 1, done: 0, since: 5000 });
});
