import { liveLink } from "../fragments";
import { Icon } from "../look/Icon";
import { useWords } from "../words";

/** A link to the page as it is now, at the words that were quoted; beside a title the arrow alone. */
export function Live({ url, quote, title }: { url: string; quote: string; title?: string }) {
  const say = useWords();
  const name = title === undefined ? say("viewer.live") : say("conversation.live", { title });
  return (
    <a className="live" href={liveLink(url, quote)} target="_blank" rel="noreferrer" aria-label={name} title={name}>
      {title === undefined && say("viewer.live")}
      <Icon name="open" size={14} />
    </a>
  );
}
