import { useMay } from "../account/accountStore";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { type Translate, useTranslate } from "../i18n";
import { formatDay } from "../text/webAddresses";
import { JudgeChoice } from "./JudgeChoice";
import { Loaded, Section } from "./Section";
import { getJudge, type JudgeSettings, type Measurement, type ServerSettings } from "./settingsApi";
import { type CalibrationRun, useCalibration } from "./useCalibration";
import type { Request } from "./useRequest";

/** The model that judges whether sources support a sentence, and how far it can be trusted. */
export function JudgeSection({ loaded }: { loaded: Request<ServerSettings> }) {
  const t = useTranslate();
  const mayChoose = useMay("admin");
  return (
    <Section title={t("settings.judge")} about={t("settings.judge.about")}>
      {mayChoose && <JudgeChoice onChanged={loaded.retry} />}
      <Loaded loaded={loaded}>{(server) => <JudgeStatus judge={getJudge(server)} />}</Loaded>
    </Section>
  );
}

function JudgeStatus({ judge }: { judge: JudgeSettings | null }) {
  const t = useTranslate();
  if (!judge?.model) {
    return <p className="soft">{t(judge?.setting === "off" ? "settings.judge.off" : "settings.judge.none")}</p>;
  }
  return <JudgeModel judge={judge} />;
}

/** The judge's model, with its last measurement. */
function JudgeModel({ judge }: { judge: JudgeSettings }) {
  const t = useTranslate();
  const measuring = useCalibration();
  const mayMeasure = useMay("admin");
  const { progress, isRunning } = measuring;
  const measured = progress?.measured ?? judge.measured;
  return (
    <div className="setting">
      <div className="with-button judge-row">
        <span className="judge-model">{judge.model}</span>
        {mayMeasure && (
          <button type="button" className="button" disabled={isRunning} onClick={measuring.begin}>
            {t(measured ? "settings.judge.again" : "settings.judge.measure")}
          </button>
        )}
      </div>
      <p className="soft small">{t(judge.setting === "model" ? "settings.judge.model" : "settings.judge.named")}</p>
      <div className="trial small" role="status">
        <CalibrationStatus measuring={measuring} measured={measured} />
      </div>
    </div>
  );
}

/** The progress of a measurement, why it failed, or its result. */
function CalibrationStatus({
  measuring: { progress, isRunning, problem },
  measured,
}: {
  measuring: CalibrationRun;
  measured: Measurement | null;
}) {
  const t = useTranslate();
  if (isRunning) {
    const { done, total } = progress?.state === "running" ? progress : { done: 0, total: 0 };
    return (
      <p className="soft">
        <span className="spinner" /> {total ? t("settings.judge.progress", { done, total }) : t("settings.testing")}
        {total > 0 && <progress value={done} max={total} aria-label={t("settings.judge.measure")} />}
      </p>
    );
  }
  const failed = progress?.state === "failed" ? progress.error || t("settings.judge.failed") : "";
  const bad = problem ? describeError(t, problem) : failed ? { message: failed, hint: "" } : null;
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
        <p>{describeMeasurement(t, measured)}</p>
      ) : (
        !bad && <p className="soft">{t("settings.judge.unmeasured")}</p>
      )}
    </>
  );
}

function describeMeasurement(t: Translate, { agreed, total, passed, when }: Measurement): string {
  const told = t.count("settings.judge.measured", passed, { agreed, total });
  if (!when) return told;
  return `${told} ${t("settings.judge.when", { day: formatDay(when * 1000, t) })}`;
}
