/** The conversation: placeholder. */
export function Conversation({ id }: { id: string | null }) {
  return <p id="ask">{id}</p>;
}
