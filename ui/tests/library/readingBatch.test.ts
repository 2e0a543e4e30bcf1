import { expect, test } from "vitest";
import { advanceBatch, estimateSeconds, measureRate, NO_BATCH } from "../../src/library/readingBatch";

test("a batch counts what is done, also when more is added, and tells how long it takes", () => {
  let batch = advanceBatch(NO_BATCH, 10, 10, 0);
  expect(measureRate(batch, 1000)).toBeNull();
  batch = advanceBatch(batch, 8, 0, 30_000);
  expect(estimateSeconds(batch, 30_000)).toBeNull();
  batch = advanceBatch(batch, 12, 4, 40_000);
  batch = advanceBatch(batch, 10, 0, 60_000);
  expect(batch).toEqual({ left: 10, uploads: 0, done: 4, since: 0 });
  expect(measureRate(batch, 60_000)).toBe(4);
  expect(estimateSeconds(batch, 60_000)).toBe(150);
});

test("a batch ends with its last document, and the next begins from nothing", () => {
  const batch = advanceBatch(advanceBatch(NO_BATCH, 2, 2, 0), 0, 0, 1000);
  expect(batch).toBe(NO_BATCH);
  expect(advanceBatch(batch, 1, 1, 5000)).toEqual({ left: 1, uploads: 1, done: 0, since: 5000 });
});

test("the total of 60 files stays 60 when some are not counted between their upload and the next count", () => {
  let batch = advanceBatch(NO_BATCH, 60, 60, 0);
  const counts = [
    [58, 50],
    [53, 44],
    [57, 40],
    [40, 20],
    [45, 10],
    [12, 0],
  ] as const;
  const totals = counts.map(([left, uploads]) => {
    batch = advanceBatch(batch, left, uploads, 1000);
    return batch.done + batch.left;
  });
  expect(totals).toEqual(counts.map(() => 60));
});
