import { Icon } from "../components/Icon";
import { LivePageLink } from "../components/LivePageLink";
import { Menu } from "../components/Menu";
import { getFetchTime } from "../conversation/citations/useFetchDate";
import { useTranslate } from "../i18n";
import { formatDay, getSite, isWebAddress } from "../text/webAddresses";
import type { Document } from "./useDocument";

interface SnapshotBarProps {
  document: Document;
  /** The chosen quote, at which the page on the web opens. */
  quote: string;
  onOther: (document: string) => void;
}

/** The bar above a web page: the day of this copy, the other copies, and a link to the page on the web. */
export function SnapshotBar({ document, quote, onOther }: SnapshotBarProps) {
  const t = useTranslate();
  const { url } = document;
  if (!isWebAddress(url)) return null;
  const day = t("viewer.asItWas", { day: formatDay(getFetchTime(document), t) });
  return (
    <div className="viewer-notice viewer-snapshot">
      <p>
        {day} · {getSite(url)}
      </p>
      <SnapshotMenu document={document} onOther={onOther} />
      <LivePageLink url={url} quote={quote} />
    </div>
  );
}

function SnapshotMenu({ document, onOther }: Omit<SnapshotBarProps, "quote">) {
  const t = useTranslate();
  const copies = (document.snapshots ?? []).toReversed();
  if (copies.length < 2) return null;
  const days = copies.map((each) => formatDay(each.fetched * 1000, t));
  // Copies of the same day differ by their time.
  const isExact = new Set(days).size < days.length;
  return (
    <Menu
      label={t("viewer.copies")}
      className="viewer-copies"
      trigger={
        <>
          {t("viewer.copies")} <Icon name="down" size={14} />
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
            {formatDay(each.fetched * 1000, t, isExact)}
          </button>
        ))
      }
    </Menu>
  );
}
