import { useState } from "react";
import type { Medium } from "../../api/types";
import { Icon } from "../../components/Icon";
import { type Translate, useTranslate } from "../../i18n";
import { getSite } from "../../text/webAddresses";
import type { Turn } from "../turns";
import { Lightbox } from "./Lightbox";

const FIRST = 8;

/** Pictures and videos that were found for an answer. Each opens in the lightbox. */
export function Gallery({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const [isWhole, setWhole] = useState(false);
  const [large, setLarge] = useState<number | null>(null);
  const { media } = turn;
  if (!media.length) return null;
  const shown = isWhole ? media : media.slice(0, FIRST);
  return (
    <section className="gallery" aria-label={t("conversation.gallery")}>
      <ul>
        {shown.map((medium, place) => (
          <li key={medium.n}>
            <Tile turn={turn.id} medium={medium} onOpen={() => setLarge(place)} />
          </li>
        ))}
      </ul>
      {shown.length < media.length && (
        <button type="button" className="plain-button" onClick={() => setWhole(true)}>
          {t.count("conversation.gallery.all", media.length)}
        </button>
      )}
      {large !== null && <Lightbox turn={turn.id} media={media} first={large} onClose={() => setLarge(null)} />}
    </section>
  );
}

function Tile({ turn, medium, onOpen }: { turn: string; medium: Medium; onOpen: () => void }) {
  const t = useTranslate();
  return (
    <button
      type="button"
      className="tile"
      data-kind={medium.kind}
      aria-label={describeMedium(t, medium)}
      onClick={onOpen}
    >
      <Picture turn={turn} medium={medium} />
      {medium.kind === "video" && (
        <span className="tile-video">
          <Icon name="play" size={14} />
          {medium.length}
        </span>
      )}
      <span className="tile-words">
        <span className="tile-title">{medium.title}</span>
        <span>{getSite(medium.url)}</span>
      </span>
    </button>
  );
}

/** A picture, fetched through the server; a placeholder if it cannot be loaded. */
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

/** Describe a picture or video: its kind, title, site and length. */
function describeMedium(t: Translate, { kind, title, url, length }: Medium): string {
  const values = { title: title || getSite(url), site: getSite(url), length: length ?? "" };
  if (kind === "image") return t("conversation.gallery.image", values);
  return t(length ? "conversation.gallery.video" : "conversation.gallery.videoAlone", values);
}
