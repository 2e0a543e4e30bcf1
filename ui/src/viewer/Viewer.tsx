/** A room: placeholder. */
export default function Viewer() {
  return <main className="room" />;
}
