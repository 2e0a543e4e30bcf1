import { useState } from "react";
import { asProblem } from "../api/problem";
import { Icon } from "../look/Icon";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { type Say, useWords } from "../words";
import { cancel, inWords, retry } from "./acts";
import { lasting } from "./amounts";
import type { Document, Progress } from "./documents";

/** The work on a document: what is done now, how far, how fast, how long still, and a way to stop it. */
export function Working({ document, progress, name }: { document: Document; progress: Progress | null; name: string }) {
  const say = useWords();
  const [isStopping, setStopping] = useState(false);
  const status = progress?.status ?? document.status;
  if (status === "ready" || status === "failed") return null;
  if (status === "searchable" && document.error) return <WithoutVectors document={document} />;

  const act = async () => {
    setStopping(true);
    try {
      await cancel(document.id);
    } catch (error) {
      toast(inWords(say, asProblem(error)));
    }
    setStopping(false);
  };

  const share = progress?.total ? progress.done / progress.total : null;
  return (
    <div className="working">
      <span className="small" data-testid="state">
        {doing(say, document, progress)}
      </span>
      {share !== null && (
        <progress className="bar" value={share} max={1} aria-label={say("library.progress", { title: name })} />
      )}
      <button
        type="button"
        className="icon-button small-button"
        disabled={isStopping}
        aria-label={say("library.cancel", { title: name })}
        title={say("library.cancel", { title: name })}
        onClick={act}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}

/** What is being done to a document, in words. */
export function doing(say: Say, document: Document, progress: Progress | null): string {
  const status = progress?.status ?? document.status;
  if (status === "queued") return say("library.waiting");
  const { step = null, done = 0, total = 0, rate, seconds_left } = progress ?? {};
  const parts = [];
  if (status === "reading") {
    parts.push(
      total > 1 ? say("library.reading.page", { n: Math.min(done + 1, total), total }) : say("library.reading"),
    );
    if (rate && total > 1) parts.push(say("library.rate.pages", { rate: rounded(rate) }));
  } else {
    parts.push(step === "embed" && total ? say("library.embedding.part", { done, total }) : say("library.embedding"));
    if (rate) parts.push(say("library.rate.passages", { rate: rounded(rate) }));
  }
  if (seconds_left != null) parts.push(say("library.left", { time: lasting(seconds_left, say.language) }));
  return parts.join(" · ");
}

function rounded(rate: number): number {
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
}

/** It was read, but search by meaning is missing: the work was stopped or failed there. */
function WithoutVectors({ document }: { document: Document }) {
  const say = useWords();
  const [isBusy, setBusy] = useState(false);
  const isCancelled = document.error_code === "cancelled";
  const go = async () => {
    setBusy(true);
    await retry(document.id, "").catch((error: unknown) => toast(inWords(say, asProblem(error))));
    setBusy(false);
  };
  return (
    <p className="working small">
      <span className="soft">
        {isCancelled
          ? say("library.vectorless")
          : said(say, { code: document.error_code, message: document.error, hint: "" }).message}
      </span>
      <button type="button" className="plain" disabled={isBusy} onClick={go}>
        {say("library.goOn")}
      </button>
    </p>
  );
}
