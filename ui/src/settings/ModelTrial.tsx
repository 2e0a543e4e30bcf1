import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { type MessageKey, type Translate, useTranslate } from "../i18n";
import type { Check, Trial } from "./modelSetupApi";
import { CHECKS, type ModelTrialState } from "./useModelTrial";

const NAMES: Record<Check, MessageKey> = {
  streaming: "settings.trial.streaming",
  tools: "settings.trial.tools",
  judge: "settings.trial.judge",
};

/** The results of a trial in plain words: what the model can do, and what that means for the answers. */
export function ModelTrial({ trial }: { trial: ModelTrialState }) {
  const t = useTranslate();
  const { results, running, problem, model } = trial;
  return (
    <div className="model-trial" role="status" aria-label={t("settings.trial")}>
      {model && (
        <ul>
          {CHECKS.map((check) => {
            const result = results[check];
            if (!result && running !== check) return null;
            return (
              <li key={check} data-outcome={result?.outcome ?? "running"}>
                <OutcomeMark outcome={result?.outcome} />
                <span>
                  <span className="trial-name">{t(NAMES[check])}</span>{" "}
                  {result ? explainTrial(t, result) : <span className="soft">{t("settings.testing")}</span>}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {problem && <ErrorMessage fault={problem} />}
    </div>
  );
}

function OutcomeMark({ outcome }: { outcome: Trial["outcome"] | undefined }) {
  if (!outcome) return <span className="spinner" />;
  if (outcome === "works") return <Icon name="check" size={16} />;
  return <Icon name={outcome === "failed" ? "cross" : "info"} size={16} />;
}

/** Say what a result means for the answers. */
export function explainTrial(t: Translate, { check, outcome, detail, error, right, total }: Trial): string {
  if (outcome === "failed") {
    const told = error && describeError(t, error);
    return told ? `${told.message} ${told.hint}`.trim() : detail;
  }
  if (check === "streaming")
    return t(outcome === "works" ? "settings.trial.streaming.works" : "settings.trial.streaming.missing");
  if (check === "tools") return t(outcome === "works" ? "settings.trial.tools.works" : "settings.trial.tools.missing");
  if (outcome === "works") return t("settings.trial.judge.works", { right, total });
  if (outcome === "partly") return t("settings.trial.judge.partly", { right, total });
  return t("settings.trial.judge.missing");
}
