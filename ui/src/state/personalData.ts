/** What this browser keeps of the person who uses it, and how it forgets that. */
import { createStore } from "./store";

const PREFIX = "pincite.";

/** The id of the person whose data is stored under `makePersonalKey`; "" on a server without accounts. */
export const storageOwner = createStore("");

const resets = new Set<() => void>();

/** Call `reset` whenever the page must not show the data of its person any more. */
export function onPersonGone(reset: () => void): void {
  resets.add(reset);
}

/** Empty everything that the page holds in memory of its person. What is stored under their key stays. */
export function forgetPerson(): void {
  for (const reset of resets) reset();
}

/** Return the key of a stored value that all people of this browser share. */
export function makeKey(name: string): string {
  return PREFIX + name;
}

/** Return the key of a value that is stored for each person apart. */
export function makePersonalKey(name: string): string {
  const owner = storageOwner.get();
  return PREFIX + (owner && `${owner}.`) + name;
}

/** Remove everything from a storage that was stored for a person. */
export function removePersonalItems(storage: () => Storage, owner: string): void {
  try {
    const found = storage();
    for (const key of Object.keys(found)) if (key.startsWith(`${PREFIX}${owner}.`)) found.removeItem(key);
  } catch {
    // The browser forbids access, so nothing was stored.
  }
}
