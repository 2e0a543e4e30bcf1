/** What the library holds in all: its named sets, and the room they take. */
import { got, server } from "../api/client";
import type { components } from "../api/schema";
import { store } from "../store";
import type { Say } from "../words";

export type Holdings = components["schemas"]["Libraries"];

/** The set that documents go to when none is named. */
export const DEFAULT = "default";

/** The set that pages of the web are kept in when an answer has read them. */
export const WEB = "web";

/** A set of documents by the name it goes by. */
export function libraryName(say: Say, name: string): string {
  return name === DEFAULT ? say("library.default") : name === WEB ? say("library.web") : name;
}

export const holdings = store<Holdings | null>(null);

const SOON = 2000;
let isPlanned = false;

/** Count again in a moment; many wishes in that moment are one. */
export function countSoon(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    void count();
  }, SOON);
}

/** Count again. What was counted before stays when the server does not answer. */
export async function count(): Promise<void> {
  try {
    holdings.set(got(await server.GET("/api/libraries")));
  } catch {
    // A quiet line that is missing is no trouble; the list beside it says when the server is gone.
  }
}
