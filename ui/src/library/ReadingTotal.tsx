import { useEffect, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { createCoalesced } from "../state/coalesce";
import { useStore } from "../state/store";
import { formatDuration } from "../text/formatAmounts";
import { getIcon } from "./documentKinds";
import { documentListStore } from "./documentListStore";
import type { Document } from "./documents";
import { librariesStore } from "./librariesStore";
import { advanceBatch, estimateSeconds, measureRate, NO_BATCH } from "./readingBatch";
import { uploadQueue } from "./uploadQueue";

/** From this number of documents on, their total is shown above the list. */
const FEW = 2;
const SHOWN = 3;
const DELAY = 700;

/** What is being added in all: how many documents, how fast, how long, and those that are being read now. */
export function ReadingTotal() {
  const t = useTranslate();
  const { waiting, reading } = useWaiting();
  const uploads = useStore(uploadQueue).filter(({ state }) => state === "waiting" || state === "sending").length;
  const left = waiting + uploads;
  const batch = useRef(NO_BATCH);
  const now = Date.now();
  if (left !== batch.current.left) batch.current = advanceBatch(batch.current, left, now);
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

/** Return how many documents wait or are being read, and the first of those that are being read. */
function useWaiting(): { waiting: number; reading: Document[] } {
  const [found, set] = useState<{ waiting: number; reading: Document[] }>({ waiting: 0, reading: [] });
  useEffect(() => {
    let isOver = false;
    const count = async (status: Document["status"][], limit: number) =>
      unwrap(await server.GET("/api/documents", { params: { query: { status, limit } } }));
    const load = createCoalesced(async () => {
      try {
        const [all, now] = await Promise.all([count(["queued", "reading", "embedding"], 1), count(["reading"], SHOWN)]);
        if (!isOver) set({ waiting: all.total, reading: now.documents });
      } catch {
        // The list of documents shows the error when the server is gone.
      }
    }, DELAY);
    load();
    const stops = [documentListStore.subscribe(load), librariesStore.subscribe(load), uploadQueue.subscribe(load)];
    return () => {
      isOver = true;
      for (const stop of stops) stop();
    };
  }, []);
  return found;
}
