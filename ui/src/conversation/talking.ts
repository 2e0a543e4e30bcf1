/** The conversation that is open: it asks, follows the answer wherever it is written, and comes back after a lost line. */
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";
import type { WireEvent } from "../api/shapes";
import { batches, opened, wireEvents } from "../api/stream";
import { store } from "../store";
import { before, fold, SILENCE, type Talk } from "./turns";

export type Asking = components["schemas"]["Chat"] & { replaces?: string };
type Ratings = Record<string, 1 | -1>;

/** `line`: whether the page hears the server; `pending` is a question that has been sent and not begun. */
export interface Talking {
  id: string | null;
  title: string;
  talk: Talk;
  ratings: Ratings;
  pending: string | null;
  line: "idle" | "loading" | "open" | "lost";
  problem: Problem | null;
}

const NOTHING: Talking = {
  id: null,
  title: "",
  talk: SILENCE,
  ratings: {},
  pending: null,
  line: "idle",
  problem: null,
};
const WAITS = [500, 1000, 2000, 4000, 8000];

export const talking = store<Talking>(NOTHING);

type Listener = (event: WireEvent, isLive: boolean) => void;
const listeners = new Set<Listener>();
let line = new AbortController();
let settled = new Set<string>();

/** Hear every event as it is folded in; `isLive` unless its answer was over before it was told here. */
export function hear(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Open a conversation, or an empty one. One that is open stays as it is. */
export async function enter(id: string | null): Promise<void> {
  if (id !== null && id === talking.get().id) return;
  hangUp();
  talking.set({ ...NOTHING, id, line: id ? "loading" : "idle" });
  if (id) await follow(id, 0, line.signal);
}

/** Ask; the promise ends when the answer does. `onBegun` hears the conversation's id, which may be new. */
export async function ask(asking: Asking, onBegun: (conversation: string) => void): Promise<void> {
  hangUp();
  const { signal } = line;
  const { id, talk } = talking.get();
  const kept = asking.replaces ? before(talk, asking.replaces) : talk;
  talking.set((now) => ({ ...now, talk: kept, pending: asking.message, problem: null, line: "open" }));
  try {
    const response = await opened("/api/chat", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...asking, ...(id && { conversationId: id }) }),
      signal,
    });
    const conversation = response.headers.get("X-Conversation-Id") ?? "";
    talking.set((now) => ({ ...now, id: conversation, title: now.title || asking.message.slice(0, 80) }));
    onBegun(conversation);
    await heard(response);
    if (isRunning()) await follow(conversation, talking.get().talk.seq, signal);
  } catch (error) {
    if (signal.aborted) return;
    const conversation = talking.get().id;
    if (conversation && isRunning()) return follow(conversation, talking.get().talk.seq, signal);
    talking.set((now) => ({ ...now, talk, pending: null, line: "idle", problem: asProblem(error) }));
    throw asProblem(error);
  }
  talking.set((now) => ({ ...now, line: "idle" }));
}

/** Stop the answer that is being written; what was written stays. */
export async function stop(): Promise<void> {
  const { id } = talking.get();
  if (id) await server.POST("/api/conversations/{conversation}/stop", { params: { path: { conversation: id } } });
}

/** Rate an answer, or take the rating back. */
export async function rate(message: string, value: 1 | -1 | null): Promise<void> {
  const params = { params: { path: { message } } };
  const earlier = talking.get().ratings;
  const { [message]: _, ...others } = earlier;
  talking.set((now) => ({ ...now, ratings: value ? { ...others, [message]: value } : others }));
  try {
    if (value) await server.POST("/api/messages/{message}/rating", { ...params, body: { value, comment: "" } });
    else await server.DELETE("/api/messages/{message}/rating", params);
  } catch (error) {
    talking.set((now) => ({ ...now, ratings: earlier }));
    throw error;
  }
}

/** Whether an answer is being written. */
export function isRunning(now: Talking = talking.get()): boolean {
  return now.pending !== null || now.talk.turns.at(-1)?.state === "running";
}

function hangUp(): void {
  line.abort();
  line = new AbortController();
}

/** Load a conversation and follow its events after `seq` until nothing runs, over as many connections as it takes. */
async function follow(id: string, seq: number, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const from = Math.max(seq, talking.get().talk.seq);
      if (!from) await load(id, signal);
      const response = await opened(`/api/conversations/${id}/events?after=${from}&brief=true`, { signal });
      await heard(response);
      if (!isRunning()) break;
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      if (problem.code !== "offline" && problem.status < 500) {
        talking.set((now) => ({ ...now, line: "idle", problem }));
        return;
      }
      talking.set((now) => ({ ...now, line: "lost" }));
    }
    await pause(WAITS[Math.min(attempt, WAITS.length - 1)] ?? 0, signal);
  }
  if (!signal.aborted) talking.set((now) => ({ ...now, line: "idle" }));
}

async function load(id: string, signal: AbortSignal): Promise<void> {
  const params = { params: { path: { conversation: id } }, signal };
  const whole = got(await server.GET("/api/conversations/{conversation}", params));
  settled = new Set(whole.messages.filter((each) => each.state !== "running").map((each) => each.id));
  const ratings: Ratings = {};
  for (const message of whole.messages) if (message.rating) ratings[message.id] = message.rating.value;
  talking.set((now) => ({ ...now, title: whole.title, ratings }));
}

async function heard(response: Response): Promise<void> {
  for await (const batch of batches(response)) {
    const events = wireEvents(batch);
    talking.set((now) => ({ ...now, line: "open", pending: null, talk: events.reduce(fold, now.talk) }));
    for (const event of events) for (const listener of listeners) listener(event, !settled.has(event.messageId));
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
    window.addEventListener("online", done, { once: true });
  });
}
