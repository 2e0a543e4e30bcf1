/** The work on all documents, over one stream that comes back when it is lost. */
import { asProblem } from "../api/problem";
import { batches, opened } from "../api/stream";
import { pause } from "../api/waiting";
import { store } from "../store";
import type { Progress } from "./documents";
import { countSoon } from "./holdings";
import { drop, note, refresh } from "./shelf";

const SOON = 300;

/** Whether the server is heard; the room says so when it is not. */
export const hears = store(true);

let isPlanned = false;

/** Look at the list again in a moment; many wishes in that moment are one. */
export function refreshSoon(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    void refresh();
    countSoon();
  }, SOON);
}

/** Follow the work until the signal says stop. */
export async function follow(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const response = await opened("/api/documents/events", { signal });
      if (!hears.get()) refreshSoon();
      hears.set(true);
      attempt = 0;
      for await (const batch of batches(response)) for (const { type, data } of batch) take(type, data);
    } catch (error) {
      if (signal.aborted) return;
      if (asProblem(error).code === "offline") hears.set(false);
    }
    await pause(attempt, signal);
  }
}

/** Take in one event of the stream. */
export function take(type: string, data: string): void {
  if (type === "progress") {
    if (note(JSON.parse(data) as Progress)) refreshSoon();
  } else if (type === "removed") {
    drop((JSON.parse(data) as { document: string }).document);
  }
}
