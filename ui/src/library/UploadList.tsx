import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { useStore } from "../store";
import { type Say, useWords } from "../words";
import { size } from "./amounts";
import { again, dismiss, type Upload, uploads } from "./queue";

const SHOWN = 6;

/** The files on their way in: how far, a way to stop, and why one could not come. */
export function UploadList() {
  const say = useWords();
  const all = useStore(uploads);
  if (!all.length) return null;
  const first = [...all].sort((a, b) => RANK[a.state] - RANK[b.state]).slice(0, SHOWN);
  const rest = all.length - first.length;
  return (
    <section className="uploads" aria-label={say("library.uploads")}>
      <ul>
        {first.map((each) => (
          <li key={each.key} className="upload" data-state={each.state}>
            <span className="upload-name">{each.file.name}</span>
            <span className={each.state === "failed" ? "upload-state failure-why" : "upload-state soft"}>
              {stateOf(say, each)}
            </span>
            {each.state === "failed" && (
              <button type="button" className="plain" onClick={() => again(each.key)}>
                {say("library.retry")}
              </button>
            )}
            <button
              type="button"
              className="icon-button small-button"
              aria-label={say(each.state === "failed" || each.state === "known" ? "library.dismiss" : "library.stop", {
                name: each.file.name,
              })}
              onClick={() => dismiss(each.key)}
            >
              <Icon name="close" size={16} />
            </button>
            {each.state === "sending" && (
              <progress
                className="bar"
                value={each.share}
                max={1}
                aria-label={say("library.sending.of", { name: each.file.name })}
              />
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="soft small">{say.count("library.uploads.rest", rest)}</p>}
    </section>
  );
}

const RANK: Record<Upload["state"], number> = { failed: 0, sending: 1, known: 2, waiting: 3 };

/** How far an upload is, in words. */
export function stateOf(say: Say, { state, share, file, problem, document }: Upload): string {
  if (state === "waiting") return say("library.upload.waiting");
  if (state === "sending") {
    if (share >= 1) return say("library.sent");
    return say("library.sending", { percent: Math.floor(share * 100), size: size(file.size, say.language) });
  }
  if (state === "known") return say("library.known", { title: document?.title || file.name });
  const { message, hint } = said(say, problem ?? { code: "unknown", message: "", hint: "" });
  return `${message} ${hint}`.trim();
}
