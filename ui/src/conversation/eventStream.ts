/** Load a conversation and follow its events on the server, over as many connections as it takes. */
import { waitForRetry } from "../api/backoff";
import { server, unwrap } from "../api/client";
import { toProblem } from "../api/problem";
import { openStream, readAnswer } from "../api/serverSentEvents";
import type { WireEvent } from "../api/types";
import type { Store } from "../state/store";
import { type ConversationState, isRunning, type Ratings } from "./conversationState";
import { foldEvent } from "./turns";

/** `isLive` is false for an answer that was complete before this page loaded it. */
export type EventListener = (event: WireEvent, isLive: boolean) => void;

export interface EventStream {
  /** Load a conversation and follow its events until no answer is running. */
  follow: (id: string, signal: AbortSignal) => Promise<void>;
  /** Fold the events of a response into the conversation as they arrive. */
  consume: (response: Response) => Promise<void>;
  /** Call the listener for every event after it was folded in. Returns how to stop. */
  onEvent: (listener: EventListener) => () => void;
}

/** Create the stream that keeps this conversation up to date. */
export function createEventStream(conversation: Store<ConversationState>): EventStream {
  const listeners = new Set<EventListener>();
  const startTimes = new Map<string, number>();
  let finished = new Set<string>();

  /** Load the title, the ratings and the list of exchanges: another tab may have replaced one. */
  const load = async (id: string, signal: AbortSignal) => {
    const params = { params: { path: { conversation: id } }, signal };
    const { title, messages } = unwrap(await server.GET("/api/conversations/{conversation}", params));
    const ids = new Set(messages.map((each) => each.id));
    const answers = messages.filter((each) => each.role === "assistant" && each.state !== "running");
    finished = new Set(answers.map((each) => each.id));
    const ratings: Ratings = {};
    const ratingComments: Record<string, string> = {};
    const times: Record<string, number> = {};
    for (const { id, rating, created, updated } of answers) {
      if (rating) ratings[id] = rating.value;
      if (rating?.comment) ratingComments[id] = rating.comment;
      times[id] = Math.max(0, updated - created);
    }
    const versions: Record<string, string[]> = {};
    for (const { id, versions: all = [] } of messages) if (all.length) versions[id] = all;
    const asked = messages.findLast(({ asked }) => asked)?.asked;
    const { project = "", workspace = "" } = asked ?? {};
    conversation.set((now) => {
      const turns = now.thread.turns.filter((turn) => ids.has(turn.id));
      const known = new Set(turns.map((turn) => turn.id));
      // Another version was chosen, here or in another tab: its events came before those that were seen.
      const isBehind = answers.some((each) => !known.has(each.id) && each.after < now.thread.seq);
      const isSame = turns.length === now.thread.turns.length && !isBehind;
      const thread = isSame ? now.thread : { turns, seq: isBehind ? 0 : now.thread.seq };
      return {
        ...now,
        title,
        project,
        workspace,
        ratings,
        ratingComments,
        versions,
        times: { ...times, ...now.times },
        thread,
      };
    });
  };

  /** Measure how long an answer took. */
  const measureTime = (times: Record<string, number>, { type, messageId }: WireEvent) => {
    if (finished.has(messageId)) return times;
    const now = performance.now();
    if (type === "message_started") startTimes.set(messageId, now);
    const start = startTimes.get(messageId);
    if (start === undefined || type !== "message_completed") return times;
    return { ...times, [messageId]: (now - start) / 1000 };
  };

  const consume = async (response: Response) => {
    for await (const events of readAnswer(response)) {
      conversation.set((now) => {
        const times = events.reduce(measureTime, now.times);
        return { ...now, connection: "open", pending: null, times, thread: events.reduce(foldEvent, now.thread) };
      });
      for (const event of events) for (const listener of listeners) listener(event, !finished.has(event.messageId));
    }
  };

  const follow = async (id: string, signal: AbortSignal) => {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await load(id, signal);
        const { seq } = conversation.get().thread;
        const path = `/api/conversations/${encodeURIComponent(id)}/events?after=${seq}&brief=true`;
        await consume(await openStream(path, { signal }));
        if (!isRunning(conversation.get())) break;
      } catch (error) {
        if (signal.aborted) return;
        const problem = toProblem(error);
        if (problem.code !== "offline" && problem.status < 500) {
          conversation.set((now) => ({ ...now, connection: "idle", pending: null, problem }));
          return;
        }
        conversation.set((now) => ({ ...now, connection: "lost" }));
      }
      await waitForRetry(attempt, signal);
    }
    if (!signal.aborted) conversation.set((now) => ({ ...now, connection: "idle" }));
  };

  return {
    follow,
    consume,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
