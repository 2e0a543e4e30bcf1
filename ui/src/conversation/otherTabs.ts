/** Messages between the tabs of this browser: in which conversation a question was asked. */

const CHANNEL = "pincite.asked";

/** Call the listener when another tab asks a question. Returns how to stop. */
export function onQuestionInOtherTab(listener: (conversation: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event: MessageEvent<string>) => listener(event.data);
  return () => channel.close();
}

/** Tell the other tabs that a question was asked in a conversation. */
export function announceQuestion(conversation: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(conversation);
  channel.close();
}
