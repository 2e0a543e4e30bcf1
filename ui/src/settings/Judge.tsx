import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { dayOf } from "../sites";
import { type Say, useWords } from "../words";
import { type JudgeSettings, judgeOf, type Measured, type ServerSettings } from "./asking";
import type { Loaded } from "./loaded";
import { type Measuring, useMeasuring } from "./measuring";
import { Ready, Section } from "./Section";

/** Who judges whether sources support a sentence, and how far that judge can be trusted. */
export function Judge({ loaded }: { loaded: Loaded<ServerSettings> }) {
  const say = useWords();
  return (
    <Section title={say("settings.judge")} about={say("settings.judge.about")}>
      <Ready loaded={loaded}>{(server) => <Who judge={judgeOf(server)} />}</Ready>
    </Section>
  );
}

function Who({ judge }: { judge: JudgeSettings | null }) {
  const say = useWords();
  if (!judge?.model) {
    return <p className="soft">{say(judge?.setting === "off" ? "settings.judge.off" : "settings.judge.none")}</p>;
  }
  return <Named judge={judge} />;
}

/** A model that judges, with what is known of it. */
function Named({ judge }: { judge: JudgeSettings }) {
  const say = useWords();
  const measuring = useMeasuring();
  const { progress, isRunning } = measuring;
  const measured = progress?.measured ?? judge.measured;
  return (
    <div className="setting">
      <div className="with-button judge-row">
        <span className="judge-model">{judge.model}</span>
        <button type="button" className="button" disabled={isRunning} onClick={measuring.begin}>
          {say(measured ? "settings.judge.again" : "settings.judge.measure")}
        </button>
      </div>
      <p className="soft small">{say(judge.setting === "model" ? "settings.judge.model" : "settings.judge.named")}</p>
      <div className="trial small" role="status">
        <Progress measuring={measuring} measured={measured} />
      </div>
    </div>
  );
}

/** How far a measurement is, why it failed, or what the last one showed. */
function Progress({
  measuring: { progress, isRunning, problem },
  measured,
}: {
  measuring: Measuring;
  measured: Measured | null;
}) {
  const say = useWords();
  if (isRunning) {
    const { done, total } = progress?.state === "running" ? progress : { done: 0, total: 0 };
    return (
      <p className="soft">
        <span className="spinner" /> {total ? say("settings.judge.progress", { done, total }) : say("settings.testing")}
        {total > 0 && <progress value={done} max={total} aria-label={say("settings.judge.measure")} />}
      </p>
    );
  }
  const failed = progress?.state === "failed" ? progress.error || say("settings.judge.failed") : "";
  const bad = problem ? said(say, problem) : failed ? { message: failed, hint: "" } : null;
  return (
    <>
      {bad && (
        <p className="trial-bad">
          <Icon name="cross" size={16} />
          <span>
            {bad.message} {bad.hint && <span className="soft">{bad.hint}</span>}
          </span>
        </p>
      )}
      {measured ? (
        <p>{measuredWords(say, measured)}</p>
      ) : (
        !bad && <p className="soft">{say("settings.judge.unmeasured")}</p>
      )}
    </>
  );
}

function measuredWords(say: Say, { agreed, total, passed, when }: Measured): string {
  const told = say.count("settings.judge.measured", passed, { agreed, total });
  if (!when) return told;
  return `${told} ${say("settings.judge.when", { day: dayOf(when * 1000, say) })}`;
}
