/** The conversation that is open: it asks, and knows what was answered. `line.ts` hears the server for it. */
import { server } from "../api/client";
import { asProblem, Problem } from "../api/problem";
import type { components } from "../api/schema";
import type { WireEvent } from "../api/shapes";
import { opened } from "../api/stream";
import { store } from "../store";
import { follow, heard } from "./line";
import { titleOf } from "./title";
import { before, SILENCE, type Talk } from "./turns";

export type Asking = components["schemas"]["Chat"];
export type Ratings = Record<string, 1 | -1>;

/** Seconds until an answer's first word and until its end, as far as they are known here. */
export interface Times {
  words: number | null;
  total: number | null;
}

/** `line`: whether the page hears the server; `pending` is a question that has been sent and not begun. */
export interface Talking {
  id: string | null;
  title: string;
  talk: Talk;
  ratings: Ratings;
  times: Record<string, Times>;
  pending: string | null;
  line: "idle" | "loading" | "open" | "lost";
  problem: Problem | null;
}

const NOTHING: Talking = {
  id: null,
  title: "",
  talk: SILENCE,
  ratings: {},
  times: {},
  pending: null,
  line: "idle",
  problem: null,
};

export const talking = store<Talking>(NOTHING);

export type Listener = (event: WireEvent, isLive: boolean) => void;
const CHANNEL = "pincite.asked";
let line = new AbortController();

/** Open a conversation, or an empty one. One that is open stays as it is. */
export async function enter(id: string | null): Promise<void> {
  if (id !== null && id === talking.get().id && !talking.get().problem) return;
  hangUp();
  talking.set({ ...NOTHING, id, line: id ? "loading" : "idle" });
  if (id) await follow(id, line.signal);
}

/** Look whether something was asked elsewhere in the conversation that is open. */
export async function lookAgain(): Promise<void> {
  const now = talking.get();
  if (now.id && now.line === "idle" && !now.problem) await follow(now.id, line.signal);
}

/** Ask; the promise ends when the answer does. `onBegun` hears the conversation's id, which may be new. */
export async function ask(asking: Asking, onBegun: (conversation: string) => void): Promise<void> {
  hangUp();
  const { signal } = line;
  const { id, talk, line: earlier } = talking.get();
  // Who hears the new answer alone would never hear what was said before it and has not come yet.
  const isBehind = id !== null && earlier !== "idle";
  const kept = asking.replaces ? before(talk, asking.replaces) : talk;
  talking.set((now) => ({ ...now, talk: kept, pending: asking.message, problem: null, line: "open" }));
  let conversation: string | null = null;
  try {
    const response = await opened("/api/chat", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...asking, ...(id && { conversationId: id }) }),
      signal,
    });
    conversation = response.headers.get("X-Conversation-Id") ?? "";
    const title = (now: Talking) => now.title || titleOf(asking.message);
    talking.set((now) => ({ ...now, id: conversation, title: title(now) }));
    tell(conversation);
    onBegun(conversation);
    if (isBehind) {
      void response.body?.cancel();
      return follow(conversation, signal);
    }
    await heard(response);
    // Where a question took another's place, the title may have followed it.
    if (isRunning() || asking.replaces) return follow(conversation, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (conversation) return follow(conversation, signal);
    const problem = refusal(asProblem(error), asking);
    talking.set((now) => ({ ...now, talk, pending: null, line: "idle" }));
    if (id && (isBehind || problem.code === "busy")) void follow(id, signal);
    throw problem;
  }
  talking.set((now) => ({ ...now, line: "idle" }));
}

/** Why a question was not taken: what is "not there" may be something that goes with it, and can be left out or set. */
function refusal(problem: Problem, asking: Asking): Problem {
  const code = missing(problem, asking);
  return new Problem({ code, message: problem.message, hint: problem.hint }, problem.status);
}

function missing({ code, message }: Problem, { documents, persona, focusMode }: Asking): string {
  const names = (words: string) => message.toLowerCase().includes(words);
  if (code === "misuse" && focusMode === "web" && names("search engine")) return "engine";
  if (code !== "not_found") return code;
  return documents?.length && names("document") ? "scope" : persona && names("persona") ? "persona" : code;
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

/** Call the open conversation something else. */
export async function rename(title: string): Promise<void> {
  const { id, title: earlier } = talking.get();
  if (!id) return;
  talking.set((now) => ({ ...now, title }));
  try {
    await server.PATCH("/api/conversations/{conversation}", {
      params: { path: { conversation: id } },
      body: { title },
    });
  } catch (error) {
    talking.set((now) => ({ ...now, title: earlier }));
    throw error;
  }
}

/** Whether an answer is being written. */
export function isRunning(now: Talking = talking.get()): boolean {
  return now.pending !== null || now.talk.turns.at(-1)?.state === "running";
}

/** Hear from other tabs that something was asked in a conversation; gives back how to stop. */
export function hearTabs(listener: (conversation: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event: MessageEvent<string>) => listener(event.data);
  return () => channel.close();
}

function tell(conversation: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(conversation);
  channel.close();
}

function hangUp(): void {
  line.abort();
  line = new AbortController();
}

export { hear } from "./line";
