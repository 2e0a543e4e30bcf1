/** The exchanges of a conversation that is shared by a link. */
import type { Answer, WireEvent } from "../api/types";
import { EMPTY_THREAD, foldEvent, type Turn } from "../conversation/turns";
import type { SharedConversation } from "./sharingApi";

type Message = SharedConversation["messages"][number];

/** Make the exchanges of the messages, as they are made of the events of one's own conversation. */
export function makeTurns(messages: readonly Message[]): Turn[] {
  let question: Message | null = null;
  const events: WireEvent[] = [];
  for (const message of messages) {
    if (message.role === "user") question = message;
    else events.push(...makeEvents(message, question, events.length));
  }
  const { turns } = events.reduce(foldEvent, EMPTY_THREAD);
  const states = new Map(messages.map(({ id, state }) => [id, state]));
  return turns.map((turn) => ({ ...turn, state: states.get(turn.id) ?? turn.state }));
}

function makeEvents({ id, answer, content }: Message, question: Message | null, seq: number): WireEvent[] {
  const asked = { conversationId: "", questionId: question?.id ?? "", question: question?.content ?? "" };
  const start: WireEvent = {
    type: "message_started",
    messageId: id,
    seq: seq + 1,
    data: { ...asked, model: "", focus: "all" },
  };
  const end: WireEvent = answer
    ? { type: "message_completed", messageId: id, seq: seq + 2, data: answer as Answer }
    : { type: "text", messageId: id, seq: seq + 2, data: { delta: content } };
  return [start, end];
}
