/** The open conversation: its state, and the actions that change it. */
import { server } from "../api/client";
import { toProblem } from "../api/problem";
import { openStream } from "../api/serverSentEvents";
import type { QuestionRequest, ResultReport } from "../api/types";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import { type ConversationState, EMPTY_CONVERSATION, isRunning } from "./conversationState";
import { makeTitle } from "./conversationTitle";
import { createEventStream, type EventStream } from "./eventStream";
import { announceChange } from "./otherTabs";
import { dropFrom } from "./turns";

export interface ConversationStore extends Store<ConversationState> {
  onEvent: EventStream["onEvent"];
  /** Open a conversation, or an empty one for null. Does nothing if it is open already. */
  open: (id: string | null) => Promise<void>;
  /** Load questions that were asked in this conversation elsewhere. */
  refresh: () => Promise<void>;
  /**
   * Ask a question. The promise resolves when the answer is complete. `onStarted` gets the conversation's id, which may
   * be new.
   */
  ask: (request: QuestionRequest, onStarted: (conversation: string) => void) => Promise<void>;
  /** Stop the running answer; its text so far stays. */
  stop: () => Promise<void>;
  /** Report what was done about a call of an answer. `continue` begins the next answer, which is followed. */
  report: (result: ResultReport) => Promise<void>;
  /** Rate an answer, perhaps with a comment, or remove its rating. */
  rate: (message: string, value: 1 | -1 | null, comment?: string) => Promise<void>;
  /** Show another version of a question, with what follows it. */
  choose: (question: string) => Promise<void>;
  /** Change the title. */
  rename: (title: string) => Promise<void>;
}

/** Create the store of one open conversation. */
export function createConversationStore(makeStream: typeof createEventStream = createEventStream): ConversationStore {
  const store = createStore(EMPTY_CONVERSATION);
  const stream = makeStream(store);
  let connection = new AbortController();

  const disconnect = () => {
    connection.abort();
    connection = new AbortController();
    return connection.signal;
  };

  return {
    ...store,
    onEvent: stream.onEvent,

    async open(id) {
      if (id !== null && id === store.get().id && !store.get().problem) return;
      const signal = disconnect();
      store.set({ ...EMPTY_CONVERSATION, id, connection: id ? "loading" : "idle" });
      if (id) await stream.follow(id, signal);
    },

    async refresh() {
      const now = store.get();
      if (!now.id || now.connection !== "idle" || now.problem) return;
      store.set((now) => ({ ...now, isAskedElsewhere: true }));
      await stream.follow(now.id, connection.signal);
    },

    async ask(request, onStarted) {
      const signal = disconnect();
      const { id, thread, connection: before } = store.get();
      // The response carries the new answer alone. Earlier events that have not arrived yet must be loaded too.
      const isBehind = id !== null && before !== "idle";
      const kept = request.replaces ? dropFrom(thread, request.replaces) : thread;
      store.set((now) => ({
        ...now,
        thread: kept,
        pending: request.message,
        isAskedElsewhere: false,
        problem: null,
        connection: "open",
      }));
      let started: string | null = null;
      try {
        const response = await openStream("/api/chat", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ ...request, ...(id && { conversationId: id }) }),
          signal,
        });
        const conversation = response.headers.get("X-Conversation-Id") ?? "";
        started = conversation;
        const workspace = request.workspace ?? store.get().workspace;
        store.set((now) => ({ ...now, id: conversation, workspace, title: now.title || makeTitle(request.message) }));
        announceChange(conversation);
        onStarted(conversation);
        if (isBehind) {
          void response.body?.cancel();
          return stream.follow(conversation, signal);
        }
        await stream.consume(response);
        // The title may have changed with a first question that was replaced.
        if (isRunning(store.get()) || request.replaces) return stream.follow(conversation, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (started) return stream.follow(started, signal);
        const problem = toProblem(error);
        store.set((now) => ({ ...now, thread, pending: null, connection: "idle" }));
        if (id && (isBehind || problem.code === "busy")) void stream.follow(id, signal);
        throw problem;
      }
      store.set((now) => ({ ...now, connection: "idle" }));
    },

    async stop() {
      const { id } = store.get();
      if (id) await server.POST("/api/conversations/{conversation}/stop", { params: { path: { conversation: id } } });
    },

    async report(result) {
      const { id } = store.get();
      if (!id) return;
      await server.POST("/api/conversations/{conversation}/results", {
        params: { path: { conversation: id } },
        body: { message: "", files: [], contents: [], screenshot: "", ...result },
      });
      announceChange(id);
      store.set((now) => ({ ...now, isAskedElsewhere: false }));
      void stream.follow(id, disconnect());
    },

    async rate(message, value, comment = "") {
      const params = { params: { path: { message } } };
      const { ratings, ratingComments } = store.get();
      const { [message]: _, ...others } = ratings;
      const { [message]: __, ...otherComments } = ratingComments;
      store.set((now) => ({
        ...now,
        ratings: value ? { ...others, [message]: value } : others,
        ratingComments: comment ? { ...otherComments, [message]: comment } : otherComments,
      }));
      try {
        if (value) await server.POST("/api/messages/{message}/rating", { ...params, body: { value, comment } });
        else await server.DELETE("/api/messages/{message}/rating", params);
      } catch (error) {
        store.set((now) => ({ ...now, ratings, ratingComments }));
        throw error;
      }
    },

    async choose(question) {
      const { id } = store.get();
      if (!id) return;
      await server.POST("/api/messages/{message}/choose", { params: { path: { message: question } } });
      announceChange(id);
      await stream.follow(id, disconnect());
    },

    async rename(title) {
      const { id, title: before } = store.get();
      if (!id) return;
      store.set((now) => ({ ...now, title }));
      try {
        await server.PATCH("/api/conversations/{conversation}", {
          params: { path: { conversation: id } },
          body: { title },
        });
      } catch (error) {
        store.set((now) => ({ ...now, title: before }));
        throw error;
      }
    },
  };
}

export const conversationStore = createConversationStore();
onPersonGone(() => void conversationStore.open(null));
