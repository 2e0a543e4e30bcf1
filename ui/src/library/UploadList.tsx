import { Icon } from "../look/Icon";
import { useStore } from "../store";
import { type Say, useWords } from "../words";
import { inWords } from "./acts";
import { size } from "./amounts";
import { again, dismiss, dismissKnown, type Upload, uploads } from "./queue";

const SHOWN = 4;

/** The files on their way in: how far, a way to stop, and why one could not come. */
export function UploadList() {
  const say = useWords();
  const all = useStore(uploads);
  if (!all.length) return null;
  const known = all.filter((each) => each.state === "known");
  const lines = known.length > 1 ? all.filter((each) => each.state !== "known") : all;
  const first = [...lines].sort((a, b) => RANK[a.state] - RANK[b.state]).slice(0, SHOWN);
  const rest = lines.length - first.length;
  return (
    <section className="uploads" aria-label={say("library.uploads")}>
      <ul>
        {first.map((each) => (
          <Line key={each.key} upload={each} />
        ))}
        {known.length > 1 && (
          <li className="upload">
            <span className="upload-name soft">{say.count("library.known", known.length)}</span>
            <button
              type="button"
              className="icon-button small-button"
              aria-label={say("library.known.hide")}
              onClick={dismissKnown}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        )}
      </ul>
      {rest > 0 && <p className="uploads-rest soft small">{say.count("library.uploads.rest", rest)}</p>}
    </section>
  );
}

function Line({ upload }: { upload: Upload }) {
  const say = useWords();
  const { key, file, state, share } = upload;
  const isOver = state === "failed" || state === "known";
  return (
    <li className="upload" data-state={state}>
      <span className="upload-name">{file.name}</span>
      <span className={state === "failed" ? "upload-state failure-why" : "upload-state soft"}>
        {stateOf(say, upload)}
      </span>
      {state === "failed" && (
        <button type="button" className="plain" onClick={() => again(key)}>
          {say("library.retry")}
        </button>
      )}
      <button
        type="button"
        className="icon-button small-button"
        aria-label={say(isOver ? "library.dismiss" : "library.stop", { name: file.name })}
        onClick={() => dismiss(key)}
      >
        <Icon name="close" size={16} />
      </button>
      {state === "sending" && (
        <progress className="bar" value={share} max={1} aria-label={say("library.sending.of", { name: file.name })} />
      )}
    </li>
  );
}

const RANK: Record<Upload["state"], number> = { failed: 0, sending: 1, known: 2, waiting: 3 };

/** How far an upload is, in words. */
function stateOf(say: Say, { state, share, file, problem, document }: Upload): string {
  if (state === "waiting") return say("library.upload.waiting");
  if (state === "sending") {
    if (share >= 1) return say("library.sent");
    return say("library.sending", { percent: Math.floor(share * 100), size: size(file.size, say.language) });
  }
  if (state === "known") return say("library.known", { title: document?.title || file.name });
  return problem ? inWords(say, problem) : "";
}
