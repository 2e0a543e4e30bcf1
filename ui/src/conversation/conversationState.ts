/** The state of the open conversation. */
import type { Problem } from "../api/problem";
import { EMPTY_THREAD, type Thread } from "./turns";

export type Ratings = Record<string, 1 | -1>;

export interface ConversationState {
  id: string | null;
  title: string;
  /** The project of the last question; "" if it was about none. */
  project: string;
  /** The id of the workspace of the last question; "" if it was in none. */
  workspace: string;
  thread: Thread;
  ratings: Ratings;
  /** The words beside a rating, by answer. */
  ratingComments: Record<string, string>;
  /** The ids of all versions of a question that has several, by the id of the one that is shown. */
  versions: Record<string, string[]>;
  /** Seconds until the end of an answer, by answer. */
  times: Record<string, number>;
  /** A question that was sent and whose answer has not started. */
  pending: string | null;
  /** Whether answers that arrive now were asked for in another tab. */
  isAskedElsewhere: boolean;
  /** The connection to the server's events. */
  connection: "idle" | "loading" | "open" | "lost";
  problem: Problem | null;
}

export const EMPTY_CONVERSATION: ConversationState = {
  id: null,
  title: "",
  project: "",
  workspace: "",
  thread: EMPTY_THREAD,
  ratings: {},
  ratingComments: {},
  versions: {},
  times: {},
  pending: null,
  isAskedElsewhere: false,
  connection: "idle",
  problem: null,
};

/** Return whether an answer is being written. */
export function isRunning({ pending, thread }: ConversationState): boolean {
  return pending !== null || thread.turns.at(-1)?.state === "running";
}
