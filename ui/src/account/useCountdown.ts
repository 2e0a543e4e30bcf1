import { useEffect, useState } from "react";

/** Count down from the given seconds, which begins anew with each `start`; 0 when the time is over. */
export function useCountdown(seconds: number, start: unknown): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same time may begin again
  useEffect(() => {
    const end = performance.now() + seconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000)));
    tick();
    if (!seconds) return;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [seconds, start]);
  return left;
}
