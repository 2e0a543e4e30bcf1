import { fetchedAt } from "../conversation/fetched";
import { Live } from "../conversation/Live";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { dayOf, isLive, siteOf } from "../sites";
import { useWords } from "../words";
import type { Document } from "./source";

interface SnapshotProps {
  document: Document;
  /** What is chosen in it: the live page opens there. */
  quote: string;
  onOther: (document: string) => void;
}

/** Over a page of the web: which day's copy this is, the copies of other days, and the page as it is now. */
export function Snapshot({ document, quote, onOther }: SnapshotProps) {
  const say = useWords();
  const { url } = document;
  if (!isLive(url)) return null;
  const day = say("viewer.asItWas", { day: dayOf(fetchedAt(document), say) });
  return (
    <div className="viewer-notice viewer-snapshot">
      <p>
        {day} · {siteOf(url)}
      </p>
      <Copies document={document} onOther={onOther} />
      <Live url={url} quote={quote} />
    </div>
  );
}

function Copies({ document, onOther }: Omit<SnapshotProps, "quote">) {
  const say = useWords();
  const copies = (document.snapshots ?? []).toReversed();
  if (copies.length < 2) return null;
  const days = copies.map((each) => dayOf(each.fetched * 1000, say));
  // Copies of one day are told apart by their time.
  const isExact = new Set(days).size < days.length;
  return (
    <Menu
      label={say("viewer.copies")}
      className="viewer-copies"
      trigger={
        <>
          {say("viewer.copies")} <Icon name="down" size={14} />
        </>
      }
    >
      {(close) =>
        copies.map((each) => (
          <button
            key={each.document}
            type="button"
            role="menuitemradio"
            className="menu-item"
            aria-checked={each.document === document.id}
            onClick={() => {
              close();
              if (each.document !== document.id) onOther(each.document);
            }}
          >
            {dayOf(each.fetched * 1000, say, isExact)}
          </button>
        ))
      }
    </Menu>
  );
}
