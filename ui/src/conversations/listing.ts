/** The conversations that are listed: words in, pages of conversations out. */
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";
import { removal } from "../removal";
import { store } from "../store";

export type Summary = components["schemas"]["Summary"];

export interface Listing {
  words: string;
  conversations: Summary[];
  next: string | null;
  is: "loading" | "still" | "more";
  problem: Problem | null;
}

const PAGE = 50;

export const listing = store<Listing>({ words: "", conversations: [], next: null, is: "loading", problem: null });

export const conversationRemoval = removal((id) => `/api/conversations/${id}`);

let line = new AbortController();

/** List the conversations where these words stand, or all, from the latest on. */
export async function look(words: string): Promise<void> {
  line.abort();
  line = new AbortController();
  listing.set((now) => ({ ...now, words, is: "loading" }));
  await load(null, line.signal);
}

/** The next page, if there is one. */
export async function more(): Promise<void> {
  const { next, is } = listing.get();
  if (!next || is !== "still") return;
  listing.set((now) => ({ ...now, is: "more" }));
  await load(next, line.signal);
}

async function load(before: string | null, signal: AbortSignal): Promise<void> {
  const words = listing.get().words.trim();
  const query = { limit: PAGE, ...(words && { words }), ...(before && { before }) };
  try {
    const page = got(await server.GET("/api/conversations", { params: { query }, signal }));
    if (signal.aborted) return;
    listing.set((now) => {
      const earlier = before ? now.conversations : [];
      const known = new Set(earlier.map((each) => each.id));
      const conversations = [...earlier, ...page.conversations.filter((each) => !known.has(each.id))];
      return { ...now, conversations, next: page.next, is: "still", problem: null };
    });
  } catch (error) {
    if (!signal.aborted) listing.set((now) => ({ ...now, is: "still", problem: asProblem(error) }));
  }
}

/** Call a conversation something else; on the page at once, and back if the server does not take it. */
export async function rename(conversation: string, title: string): Promise<void> {
  const before = listing.get().conversations.find((each) => each.id === conversation)?.title ?? "";
  titled(conversation, title);
  try {
    await server.PATCH("/api/conversations/{conversation}", { params: { path: { conversation } }, body: { title } });
  } catch (error) {
    titled(conversation, before);
    throw error;
  }
}

function titled(id: string, title: string): void {
  listing.set((now) => ({
    ...now,
    conversations: now.conversations.map((each) => (each.id === id ? { ...each, title } : each)),
  }));
}
