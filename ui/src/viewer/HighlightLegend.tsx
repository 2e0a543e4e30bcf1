import { IconButton } from "../components/IconButton";
import { useTranslate } from "../i18n";
import { createPersistentStore } from "../state/persistentStore";
import { useStore } from "../state/store";

/** Whether the reader of this browser has closed the legend. */
const legendClosedStore = createPersistentStore("viewer.legendClosed", false);

/** What the highlights mean, until the reader has closed it once. */
export function HighlightLegend() {
  const t = useTranslate();
  if (useStore(legendClosedStore)) return null;
  return (
    <div className="viewer-legend" role="note" aria-label={t("viewer.legend")}>
      <ul>
        <li>
          <span className="legend-pin">{t("viewer.legend.pin")}</span>
        </li>
        <li>
          <span className="legend-other">{t("viewer.legend.other")}</span>
        </li>
        <li>
          <span className="legend-passage">{t("viewer.legend.passage")}</span>
        </li>
      </ul>
      <IconButton icon="close" label={t("viewer.legend.close")} onClick={() => legendClosedStore.set(true)} />
    </div>
  );
}
