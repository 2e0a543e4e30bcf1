/** A source alone: placeholder. */
export default function Source({ id }: { id: string }) {
  return <main className="room">{id}</main>;
}
