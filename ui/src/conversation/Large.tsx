import { type KeyboardEvent, useState } from "react";
import type { Medium } from "../api/shapes";
import { Dialog } from "../look/Dialog";
import { Icon } from "../look/Icon";
import { isLive, siteOf } from "../sites";
import { useWords } from "../words";
import { Picture } from "./Gallery";

interface LargeProps {
  turn: string;
  media: readonly Medium[];
  /** Which of them is shown first, by its place. */
  first: number;
  onClose: () => void;
}

/** One picture or video of the gallery, large, with the way to its page and to its neighbours. */
export function Large({ turn, media, first, onClose }: LargeProps) {
  const say = useWords();
  const [place, setPlace] = useState(first);
  const medium = media[place];
  if (!medium) return null;
  const move = (by: 1 | -1) => setPlace((now) => (now + by + media.length) % media.length);
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) move(by as 1 | -1);
  };
  return (
    <Dialog title={medium.title || siteOf(medium.url)} className="dialog large" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows work wherever the focus is in the window */}
      <div onKeyDown={pressed}>
        <figure className="large-picture">
          <Picture key={medium.n} turn={turn} medium={medium} alt={medium.title} />
        </figure>
        <div className="large-row">
          <span className="soft">{[siteOf(medium.url), medium.length].filter(Boolean).join(" · ")}</span>
          {media.length > 1 && (
            <>
              <button
                type="button"
                className="icon-button"
                aria-label={say("conversation.gallery.previous")}
                onClick={() => move(-1)}
              >
                <Icon name="back" />
              </button>
              <span className="soft">
                {say("conversation.gallery.place", { place: place + 1, count: media.length })}
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={say("conversation.gallery.next")}
                onClick={() => move(1)}
              >
                <Icon name="forward" />
              </button>
            </>
          )}
          {isLive(medium.url) && (
            <a className="button main" href={medium.url} target="_blank" rel="noreferrer">
              {say("conversation.gallery.page")} <Icon name="open" size={16} />
            </a>
          )}
        </div>
      </div>
    </Dialog>
  );
}
