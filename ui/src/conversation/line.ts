/** The line to the server: events of the open conversation, over as many connections as it takes. */
import { got, server } from "../api/client";
import { asProblem, Problem } from "../api/problem";
import type { WireEvent } from "../api/shapes";
import { batches, opened, wireEvents } from "../api/stream";
import { pause } from "../api/waiting";
import { isRunning, type Listener, type Ratings, type Times, talking } from "./talking";
import { fold } from "./turns";

const listeners = new Set<Listener>();
const begun = new Map<string, number>();
let settled = new Set<string>();

/** Hear every event as it is folded in; `isLive` unless its answer was over before it was told here. */
export function hear(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Load a conversation and follow its events until nothing runs. */
export async function follow(id: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await load(id, signal);
      const { seq } = talking.get().talk;
      const path = `/api/conversations/${encodeURIComponent(id)}/events?after=${seq}&brief=true`;
      await heard(await opened(path, { signal }));
      if (!isRunning()) break;
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      if (problem.code !== "offline" && problem.status < 500) {
        talking.set((now) => ({ ...now, line: "idle", pending: null, problem }));
        return;
      }
      talking.set((now) => ({ ...now, line: "lost" }));
    }
    await pause(attempt, signal);
  }
  if (!signal.aborted) talking.set((now) => ({ ...now, line: "idle" }));
}

/** Fold in what a response tells, as it comes. */
export async function heard(response: Response): Promise<void> {
  for await (const batch of batches(response)) {
    const events = wireEvents(batch);
    const broken = events.find((event) => event.type === "error" && event.seq === 0);
    if (broken?.type === "error") throw new Problem(broken.data);
    talking.set((now) => {
      const times = events.reduce(timed, now.times);
      return { ...now, line: "open", pending: null, times, talk: events.reduce(fold, now.talk) };
    });
    for (const event of events) for (const listener of listeners) listener(event, !settled.has(event.messageId));
  }
}

/** The title, the ratings and which exchanges there are: one may have been asked again elsewhere. */
async function load(id: string, signal: AbortSignal): Promise<void> {
  const params = { params: { path: { conversation: id } }, signal };
  const whole = got(await server.GET("/api/conversations/{conversation}", params));
  const there = new Set(whole.messages.map((each) => each.id));
  const over = whole.messages.filter((each) => each.role === "assistant" && each.state !== "running");
  settled = new Set(over.map((each) => each.id));
  const ratings: Ratings = {};
  const times: Record<string, Times> = {};
  for (const message of over) {
    if (message.rating) ratings[message.id] = message.rating.value;
    times[message.id] = { words: null, total: Math.max(0, message.updated - message.created) };
  }
  talking.set((now) => {
    const turns = now.talk.turns.filter((turn) => there.has(turn.id));
    const talk = turns.length === now.talk.turns.length ? now.talk : { ...now.talk, turns };
    return { ...now, title: whole.title, ratings, times: { ...times, ...now.times }, talk };
  });
}

function timed(times: Record<string, Times>, { type, messageId }: WireEvent): Record<string, Times> {
  const now = performance.now();
  if (settled.has(messageId)) return times;
  if (type === "message_started") begun.set(messageId, now);
  const from = begun.get(messageId);
  if (from === undefined) return times;
  const { words = null, total = null } = times[messageId] ?? {};
  const seconds = (now - from) / 1000;
  if (type === "text" && words === null) return { ...times, [messageId]: { words: seconds, total } };
  if (type === "message_completed") return { ...times, [messageId]: { words, total: seconds } };
  return times;
}
