/** What the library holds in all: its named sets, and the room they take. */
import { opened } from "../api/stream";
import { store } from "../store";

export interface Holdings {
  libraries: { name: string; documents: number; bytes: number }[];
  documents: number;
  pages: number;
  passages: number;
  bytes: number;
  stored: number;
}

/** The set that documents go to when none is named. */
export const DEFAULT = "default";

export const holdings = store<Holdings | null>(null);

/** Count again. What was counted before stays when the server does not answer. */
export async function count(): Promise<void> {
  try {
    const response = await opened("/api/libraries", {});
    holdings.set((await response.json()) as Holdings);
  } catch {
    // A quiet line that is missing is no trouble; the list beside it says when the server is gone.
  }
}
