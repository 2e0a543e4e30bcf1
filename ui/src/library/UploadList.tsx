import { Icon } from "../components/Icon";
import { type Translate, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatSize } from "../text/formatAmounts";
import { describeInOneLine } from "./documentActions";
import { type Upload, uploadQueue } from "./uploadQueue";

const SHOWN = 4;

/** The uploads: their progress, a button to stop each, and why one failed. */
export function UploadList() {
  const t = useTranslate();
  const all = useStore(uploadQueue);
  if (!all.length) return null;
  const known = all.filter((each) => each.state === "known");
  const lines = known.length > 1 ? all.filter((each) => each.state !== "known") : all;
  const first = [...lines].sort((a, b) => RANK[a.state] - RANK[b.state]).slice(0, SHOWN);
  const rest = lines.length - first.length;
  return (
    <section className="uploads" aria-label={t("library.uploads")}>
      <ul>
        {first.map((each) => (
          <UploadLine key={each.key} upload={each} />
        ))}
        {known.length > 1 && (
          <li className="upload">
            <span className="upload-name soft">{t.count("library.known", known.length)}</span>
            <button
              type="button"
              className="icon-button small-button"
              aria-label={t("library.known.hide")}
              onClick={uploadQueue.dismissKnown}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        )}
      </ul>
      {rest > 0 && <p className="uploads-rest soft small">{t.count("library.uploads.rest", rest)}</p>}
    </section>
  );
}

function UploadLine({ upload }: { upload: Upload }) {
  const t = useTranslate();
  const { key, file, state, share } = upload;
  const isOver = state === "failed" || state === "known";
  return (
    <li className="upload" data-state={state}>
      <span className="upload-name">{file.name}</span>
      <span className={state === "failed" ? "upload-state failure-why" : "upload-state soft"}>
        {describeState(t, upload)}
      </span>
      {state === "failed" && (
        <button type="button" className="plain" onClick={() => uploadQueue.retry(key)}>
          {t("library.retry")}
        </button>
      )}
      <button
        type="button"
        className="icon-button small-button"
        aria-label={t(isOver ? "library.dismiss" : "library.stop", { name: file.name })}
        onClick={() => uploadQueue.dismiss(key)}
      >
        <Icon name="close" size={16} />
      </button>
      {state === "sending" && (
        <progress className="bar" value={share} max={1} aria-label={t("library.sending.of", { name: file.name })} />
      )}
    </li>
  );
}

const RANK: Record<Upload["state"], number> = { failed: 0, sending: 1, known: 2, waiting: 3 };

/** Describe the state of an upload. */
function describeState(t: Translate, { state, share, file, options, problem, document }: Upload): string {
  if (state === "waiting") return t("library.upload.waiting");
  if (state === "sending") {
    if (share >= 1) return t("library.sent");
    return t("library.sending", { percent: Math.floor(share * 100), size: formatSize(file.size, t.language) });
  }
  if (state === "known") {
    const title = document?.title || file.name;
    const folder = document?.folder ?? "";
    return folder === (options.folder ?? "")
      ? t("library.known", { title })
      : t(folder ? "library.known.folder" : "library.known.top", { title, folder });
  }
  return problem ? describeInOneLine(t, problem) : "";
}
