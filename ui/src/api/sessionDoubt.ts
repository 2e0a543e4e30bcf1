/** Signs that the session may have ended: a request was refused with 401, or the server ended a stream. */

const listeners = new Set<() => void>();

/** Call the listener when there is such a sign. Returns how to stop. */
export function onSessionDoubt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Report such a sign. The listeners ask the server whether the session is valid. */
export function doubtSession(): void {
  for (const listener of listeners) listener();
}
