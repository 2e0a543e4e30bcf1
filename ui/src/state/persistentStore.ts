import { createStore, type Store } from "./store";

const PREFIX = "pincite.";

/** Create a store that this browser remembers and shares between tabs. Nothing in it is sent anywhere by itself. */
export function createPersistentStore<T>(name: string, otherwise: T): Store<T> {
  const key = PREFIX + name;
  const before = readStorage(() => localStorage, key);
  const kept = createStore(parseStored(before, otherwise));
  window.addEventListener("storage", (event) => {
    if (event.key === key) kept.set(parseStored(event.newValue, otherwise));
  });
  return {
    ...kept,
    set(next) {
      kept.set(next);
      try {
        localStorage.setItem(key, JSON.stringify(kept.get()));
      } catch {
        // The storage is full or forbidden. The value lasts for this visit.
      }
    },
  };
}

/** Read a value from a storage; null if the browser forbids access. */
export function readStorage(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function parseStored<T>(text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}
