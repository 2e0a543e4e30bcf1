import { type Store, store } from "./store";

const PREFIX = "pincite.";

/** A store that this browser remembers, in every tab; nothing of it is sent anywhere by itself. */
export function remembered<T>(name: string, otherwise: T): Store<T> {
  const key = PREFIX + name;
  const before = stored(() => localStorage, key);
  const kept = store(read(before, otherwise));
  window.addEventListener("storage", (event) => {
    if (event.key === key) kept.set(read(event.newValue, otherwise));
  });
  return {
    ...kept,
    set(next) {
      kept.set(next);
      try {
        localStorage.setItem(key, JSON.stringify(kept.get()));
      } catch {
        // A full or forbidden storage: it holds for this visit.
      }
    },
  };
}

/** What lies in a storage; nothing where the browser lets none be seen. */
export function stored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function read<T>(text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}
