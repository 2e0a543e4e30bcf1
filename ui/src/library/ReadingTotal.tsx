import { useEffect, useRef } from "react";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatDuration } from "../text/formatAmounts";
import { getIcon } from "./documentKinds";
import { advanceBatch, estimateSeconds, measureRate, NO_BATCH } from "./readingBatch";
import { uploadQueue } from "./uploadQueue";
import { followWaiting, waitingDocuments } from "./waitingDocuments";

/** From this number of documents on, their total is shown above the list. */
const FEW = 2;

/** What is being added in all: how many documents, how fast, how long, and those that are being read now. */
export function ReadingTotal() {
  const t = useTranslate();
  const { counted, arrived, reading } = useStore(waitingDocuments);
  useEffect(followWaiting, []);
  const uploads = useStore(uploadQueue).filter(({ state }) => state === "waiting" || state === "sending").length;
  const left = counted + arrived.size + uploads;
  const batch = useRef(NO_BATCH);
  const now = Date.now();
  batch.current = advanceBatch(batch.current, left, uploads, now);
  if (left < FEW && !batch.current.done) return null;
  if (!left) return null;
  const total = batch.current.done + left;
  const rate = measureRate(batch.current, now);
  const seconds = estimateSeconds(batch.current, now);
  return (
    <section className="reading-total" aria-label={t("library.total")}>
      <p role="status">
        {t("library.total.left", { done: batch.current.done, total })}
        {rate !== null && ` · ${t("library.total.rate", { rate: Math.round(rate) })}`}
        {seconds !== null && ` · ${t("library.total.time", { time: formatDuration(seconds, t.language) })}`}
      </p>
      <progress className="bar" value={batch.current.done} max={total} aria-label={t("library.total")} />
      {reading.length > 0 && (
        <ul aria-label={t("library.total.now")}>
          {reading.map((each) => (
            <li key={each.id} className="small soft">
              <Icon name={getIcon(each)} size={14} /> {each.title || each.name}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
