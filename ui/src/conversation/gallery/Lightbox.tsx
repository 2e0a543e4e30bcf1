import { type KeyboardEvent, useState } from "react";
import type { Medium } from "../../api/types";
import { Dialog } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { getSite, isWebAddress } from "../../text/webAddresses";
import { Picture } from "./Gallery";

interface LightboxProps {
  turn: string;
  media: readonly Medium[];
  /** The index of the one that is shown first. */
  first: number;
  onClose: () => void;
}

/** One picture or video of the gallery in a dialog, with links to its page and to its neighbours. */
export function Lightbox({ turn, media, first, onClose }: LightboxProps) {
  const t = useTranslate();
  const [place, setPlace] = useState(first);
  const medium = media[place];
  if (!medium) return null;
  const move = (by: 1 | -1) => setPlace((now) => (now + by + media.length) % media.length);
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) move(by as 1 | -1);
  };
  return (
    <Dialog title={medium.title || getSite(medium.url)} className="dialog large" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys work wherever the focus is in the dialog */}
      <div onKeyDown={pressed}>
        <figure className="large-picture">
          <Picture key={medium.n} turn={turn} medium={medium} alt={medium.title} />
        </figure>
        <div className="large-row">
          <span className="soft">{[getSite(medium.url), medium.length].filter(Boolean).join(" · ")}</span>
          {media.length > 1 && (
            <>
              <button
                type="button"
                className="icon-button"
                aria-label={t("conversation.gallery.previous")}
                onClick={() => move(-1)}
              >
                <Icon name="back" />
              </button>
              <span className="soft">{t("conversation.gallery.place", { place: place + 1, count: media.length })}</span>
              <button
                type="button"
                className="icon-button"
                aria-label={t("conversation.gallery.next")}
                onClick={() => move(1)}
              >
                <Icon name="forward" />
              </button>
            </>
          )}
          {isWebAddress(medium.url) && (
            <a className="button main" href={medium.url} target="_blank" rel="noreferrer">
              {t("conversation.gallery.page")} <Icon name="open" size={16} />
            </a>
          )}
        </div>
      </div>
    </Dialog>
  );
}
