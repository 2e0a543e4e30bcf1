/**
 * The trace of commands to the viewer in the browser's console: the command as it arrived (parser), what the conversation
 * makes of it (container), and where the source goes (viewer). `localStorage["pincite.viewer.trace"] = "true"` turns it
 * on at the next load.
 */
import { createPersistentStore } from "../state/persistentStore";

export const traceStore = createPersistentStore("viewer.trace", false);

export type TraceStep = "parser" | "container" | "viewer";

/** Write a step to the console if the trace is on. */
export function traceViewer(step: TraceStep, message: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the trace is for the console, and off unless somebody turns it on
  if (traceStore.get()) console.info(`[viewer] ${step}: ${message}`, ...details);
}
