import { useState } from "react";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { showToast } from "../components/toastStore";
import { type Translate, useTranslate } from "../i18n";
import { formatDuration } from "../text/formatAmounts";
import { cancelDocument, describeInOneLine, retryDocument } from "./documentActions";
import type { Document, Progress } from "./documents";
import { useMayChange } from "./libraryAccess";

/** The progress of a document: the current step, how far, how fast, the time left, and a button to stop. */
export function DocumentProgress({
  document,
  progress,
  name,
}: {
  document: Document;
  progress: Progress | null;
  name: string;
}) {
  const t = useTranslate();
  const [isStopping, setStopping] = useState(false);
  const isMine = useMayChange(document);
  const status = progress?.status ?? document.status;
  if (status === "ready" || status === "failed") return null;
  if (status === "searchable" && document.error) return <WithoutVectors document={document} />;

  const act = async () => {
    setStopping(true);
    try {
      await cancelDocument(document.id);
    } catch (error) {
      showToast(describeInOneLine(t, toProblem(error)));
    }
    setStopping(false);
  };

  const share = progress?.total ? progress.done / progress.total : null;
  return (
    <div className="working">
      <span className="small" data-testid="state">
        {describeProgress(t, document, progress)}
      </span>
      {share !== null && (
        <progress className="bar" value={share} max={1} aria-label={t("library.progress", { title: name })} />
      )}
      {isMine && (
        <button
          type="button"
          className="icon-button small-button"
          disabled={isStopping}
          aria-label={t("library.cancel", { title: name })}
          title={t("library.cancel", { title: name })}
          onClick={act}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  );
}

/** Describe what is being done to a document. */
export function describeProgress(t: Translate, document: Document, progress: Progress | null): string {
  const status = progress?.status ?? document.status;
  if (status === "queued") return t("library.waiting");
  const { step = null, done = 0, total = 0, rate, seconds_left } = progress ?? {};
  const parts = [];
  if (status === "reading") {
    parts.push(total > 1 ? t("library.reading.page", { n: Math.min(done + 1, total), total }) : t("library.reading"));
    if (rate && total > 1) parts.push(t("library.rate.pages", { rate: roundRate(rate) }));
  } else {
    parts.push(step === "embed" && total ? t("library.embedding.part", { done, total }) : t("library.embedding"));
    if (rate) parts.push(t("library.rate.passages", { rate: roundRate(rate) }));
  }
  if (seconds_left != null) parts.push(t("library.left", { time: formatDuration(seconds_left, t.language) }));
  return parts.join(" · ");
}

function roundRate(rate: number): number {
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
}

/** The document was read, but its index for search by meaning is not complete: that was stopped or failed. */
function WithoutVectors({ document }: { document: Document }) {
  const t = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const isMine = useMayChange(document);
  const isCancelled = document.error_code === "cancelled";
  const go = async () => {
    setBusy(true);
    await retryDocument(document.id, "").catch((error: unknown) => showToast(describeInOneLine(t, toProblem(error))));
    setBusy(false);
  };
  return (
    <p className="working small">
      <span className="soft">
        {isCancelled
          ? t("library.vectorless")
          : describeError(t, { code: document.error_code, message: document.error, hint: "" }).message}
      </span>
      {isMine && (
        <button type="button" className="plain" disabled={isBusy} onClick={go}>
          {t("library.goOn")}
        </button>
      )}
    </p>
  );
}
