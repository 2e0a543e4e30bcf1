import { makeKey, makePersonalKey, storageOwner } from "./personalData";
import { createStore, type Store } from "./store";

/** Create a store that this browser remembers and shares between tabs. Nothing in it is sent anywhere by itself. */
export function createPersistentStore<T>(name: string, otherwise: T): Store<T> {
  return createStored(() => makeKey(name), otherwise);
}

/** Create a persistent store that has a value of its own for each person who signs in. */
export function createPersonalStore<T>(name: string, otherwise: T): Store<T> {
  return createStored(() => makePersonalKey(name), otherwise);
}

function createStored<T>(getKey: () => string, otherwise: T): Store<T> {
  const read = () =>
    parseStored(
      readStorage(() => localStorage, getKey()),
      otherwise,
    );
  const kept = createStore(read());
  window.addEventListener("storage", (event) => {
    if (event.key === getKey()) kept.set(parseStored(event.newValue, otherwise));
  });
  let key = getKey();
  storageOwner.subscribe(() => {
    if (key === getKey()) return;
    key = getKey();
    kept.set(read());
  });
  return {
    ...kept,
    set(next) {
      kept.set(next);
      try {
        localStorage.setItem(getKey(), JSON.stringify(kept.get()));
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
