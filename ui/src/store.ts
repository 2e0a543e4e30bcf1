import { useSyncExternalStore } from "react";

/** A value that components may watch. */
export interface Store<T> {
  get: () => T;
  set: (next: T | ((now: T) => T)) => void;
  subscribe: (listener: () => void) => () => void;
}

/** A store with this value in it. */
export function store<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const made = typeof next === "function" ? (next as (now: T) => T)(value) : next;
      if (Object.is(made, value)) return;
      value = made;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is in a store; the component is drawn again when it changes. */
export function useStore<T>(watched: Store<T>): T {
  return useSyncExternalStore(watched.subscribe, watched.get);
}
