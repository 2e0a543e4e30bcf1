import { useSyncExternalStore } from "react";
import type { Store } from "../store";

/** One plain value out of a store; the component is drawn again only when that value changes. */
export function usePicked<T, P extends string | number | boolean | null | undefined>(
  watched: Store<T>,
  pick: (now: T) => P,
): P {
  return useSyncExternalStore(watched.subscribe, () => pick(watched.get()));
}
