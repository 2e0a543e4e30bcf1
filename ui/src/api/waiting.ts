const WAITS = [500, 1000, 2000, 4000, 8000];

/** The time before a line that was lost is tried again: longer with each attempt, over at once when there is a network. */
export function pause(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, WAITS[Math.min(attempt, WAITS.length - 1)]);
    signal.addEventListener("abort", done);
    window.addEventListener("online", done);
  });
}
