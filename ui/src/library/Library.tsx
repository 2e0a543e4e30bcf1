/** A room: placeholder. */
export default function Library() {
  return <main className="room" />;
}
