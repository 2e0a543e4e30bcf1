import { useSyncExternalStore } from "react";
import type { Store } from "./store";

/** Return a primitive value from a store; the component renders again only when that value changes. */
export function useSelector<T, P extends string | number | boolean | null | undefined>(
  watched: Store<T>,
  pick: (now: T) => P,
): P {
  return useSyncExternalStore(watched.subscribe, () => pick(watched.get()));
}
