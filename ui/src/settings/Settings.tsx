/** A room: placeholder. */
export default function Settings() {
  return <main className="room" />;
}
