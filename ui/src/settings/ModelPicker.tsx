import { useId, useState } from "react";
import { useTranslate } from "../i18n";
import { ModelTrial } from "./ModelTrial";
import { nameModel } from "./modelSetupApi";
import { useModelTrial } from "./useModelTrial";

interface ModelPickerProps {
  label: string;
  /** Names as `provider:model`. */
  models: string[];
  /** For a provider without a list: the name is typed. */
  provider: string;
  isBusy: boolean;
  onUse: (model: string) => void;
}

/** A list of a provider's models, with buttons to try the chosen one and to use it. */
export function ModelPicker({ label, models, provider, isBusy, onUse }: ModelPickerProps) {
  const t = useTranslate();
  const id = useId();
  const trial = useModelTrial();
  const [chosen, choose] = useState("");
  const model = chosen || models[0] || "";
  const change = (name: string) => {
    trial.clear();
    choose(name);
  };
  return (
    <div className="setting model-picker">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="with-button">
        {models.length ? (
          <select id={id} className="field" value={model} onChange={({ target }) => change(target.value)}>
            {models.map((name) => (
              <option key={name} value={name}>
                {nameModel(name)}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            className="field"
            spellCheck={false}
            autoComplete="off"
            value={nameModel(chosen)}
            onChange={({ target }) => change(target.value.trim() ? `${provider}:${target.value.trim()}` : "")}
          />
        )}
        <button
          type="button"
          className="button"
          disabled={!model || trial.running !== null}
          onClick={() => void trial.run(model)}
        >
          {t("settings.setup.try")}
        </button>
        <button type="button" className="button main" disabled={!model || isBusy} onClick={() => onUse(model)}>
          {t("settings.setup.use")}
        </button>
      </div>
      <ModelTrial trial={trial} />
    </div>
  );
}
