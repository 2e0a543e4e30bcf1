const DELAYS = [500, 1000, 2000, 4000, 8000];

/**
 * Wait before a lost connection is tried again: longer with each attempt, and no longer once the browser is online
 * again.
 */
export function waitForRetry(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, DELAYS[Math.min(attempt, DELAYS.length - 1)]);
    signal.addEventListener("abort", done);
    window.addEventListener("online", done);
  });
}
