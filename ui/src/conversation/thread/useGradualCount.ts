import { startTransition, useEffect, useState } from "react";

const FIRST = 12;
const MORE = 12;
const PAUSE = 40;

/** Return how many of a list's last items to render now: the end at once, the earlier ones step by step. */
export function useGradualCount(length: number, key: string | null): number {
  const [state, set] = useState({ key, drawn: FIRST });
  const drawn = state.key === key ? state.drawn : FIRST;
  useEffect(() => {
    if (drawn >= length) return;
    const timer = setTimeout(() => startTransition(() => set({ key, drawn: drawn + MORE })), PAUSE);
    return () => clearTimeout(timer);
  }, [drawn, length, key]);
  return Math.min(drawn, length);
}
