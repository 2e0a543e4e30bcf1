/** Messages between the tabs of this browser: in which conversation a question was asked or a call was answered. */

const CHANNEL = "pincite.changed";

/** Call the listener when another tab changes a conversation. Returns how to stop. */
export function onChangeInOtherTab(listener: (conversation: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event: MessageEvent<string>) => listener(event.data);
  return () => channel.close();
}

/** Tell the other tabs that this one has changed a conversation. */
export function announceChange(conversation: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(conversation);
  channel.close();
}
