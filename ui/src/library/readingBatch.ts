/** Everything that is being added now, as one batch: how much is done, how fast, and how long it still takes. */

export interface ReadingBatch {
  /** Documents that are still to be read. */
  left: number;
  /** Documents that were read since the batch began. */
  done: number;
  /** Files that are still to be sent; they are among those left. */
  uploads: number;
  /** When the batch began, in milliseconds. */
  since: number;
}

export const NO_BATCH: ReadingBatch = { left: 0, done: 0, uploads: 0, since: 0 };
/** Documents that must be done before the speed is known. */
const ENOUGH = 3;

/**
 * Return the batch when `left` documents are to be read at this time, of which `uploads` are still to be sent. It begins
 * with the first and ends with the last. More uploads make it larger. Else a document that is counted again was missed
 * between its upload and the next count, and is not done.
 */
export function advanceBatch(batch: ReadingBatch, left: number, uploads: number, now: number): ReadingBatch {
  if (!left) return NO_BATCH;
  if (!batch.left) return { left, uploads, done: 0, since: now };
  const added = Math.max(0, uploads - batch.uploads);
  return { ...batch, left, uploads, done: Math.max(0, batch.done + batch.left + added - left) };
}

/** Return the documents read in a minute; null while too few are done to tell. */
export function measureRate({ done, since }: ReadingBatch, now: number): number | null {
  const minutes = (now - since) / 60_000;
  return done >= ENOUGH && minutes > 0 ? done / minutes : null;
}

/** Return the seconds that are left; null while the speed is not known. */
export function estimateSeconds(batch: ReadingBatch, now: number): number | null {
  const rate = measureRate(batch, now);
  return rate ? (batch.left / rate) * 60 : null;
}
