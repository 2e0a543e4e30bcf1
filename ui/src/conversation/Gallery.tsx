import { useState } from "react";
import type { Medium } from "../api/shapes";
import { Icon } from "../look/Icon";
import { siteOf } from "../sites";
import { type Say, useWords } from "../words";
import { Large } from "./Large";
import type { Turn } from "./turns";

const FIRST = 8;

/** Pictures and videos that were found for an answer; each opens large, and leads to its page. */
export function Gallery({ turn }: { turn: Turn }) {
  const say = useWords();
  const [isWhole, setWhole] = useState(false);
  const [large, setLarge] = useState<number | null>(null);
  const { media } = turn;
  if (!media.length) return null;
  const shown = isWhole ? media : media.slice(0, FIRST);
  return (
    <section className="gallery" aria-label={say("conversation.gallery")}>
      <ul>
        {shown.map((medium, place) => (
          <li key={medium.n}>
            <Tile turn={turn.id} medium={medium} onOpen={() => setLarge(place)} />
          </li>
        ))}
      </ul>
      {shown.length < media.length && (
        <button type="button" className="plain-button" onClick={() => setWhole(true)}>
          {say.count("conversation.gallery.all", media.length)}
        </button>
      )}
      {large !== null && <Large turn={turn.id} media={media} first={large} onClose={() => setLarge(null)} />}
    </section>
  );
}

function Tile({ turn, medium, onOpen }: { turn: string; medium: Medium; onOpen: () => void }) {
  const say = useWords();
  return (
    <button type="button" className="tile" data-kind={medium.kind} aria-label={nameOf(say, medium)} onClick={onOpen}>
      <Picture turn={turn} medium={medium} />
      {medium.kind === "video" && (
        <span className="tile-video">
          <Icon name="play" size={14} />
          {medium.length}
        </span>
      )}
      <span className="tile-words">
        <span className="tile-title">{medium.title}</span>
        <span>{siteOf(medium.url)}</span>
      </span>
    </button>
  );
}

/** A picture as the server hands it on; a quiet place for one that cannot be had. */
export function Picture({ turn, medium, alt = "" }: { turn: string; medium: Medium; alt?: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken || !(medium.thumbnail || medium.image)) {
    return (
      <span className="tile-none">
        <Icon name={medium.kind === "video" ? "play" : "picture"} />
      </span>
    );
  }
  const src = `/api/messages/${encodeURIComponent(turn)}/media/${medium.n}`;
  return <img src={src} alt={alt} loading="lazy" decoding="async" onError={() => setBroken(true)} />;
}

/** A picture or a video in words: what it is, its title, its site, its length. */
function nameOf(say: Say, { kind, title, url, length }: Medium): string {
  const values = { title: title || siteOf(url), site: siteOf(url), length: length ?? "" };
  if (kind === "image") return say("conversation.gallery.image", values);
  return say(length ? "conversation.gallery.video" : "conversation.gallery.videoAlone", values);
}
