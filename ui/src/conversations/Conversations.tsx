/** A room: placeholder. */
export default function Conversations() {
  return <main className="room" />;
}
