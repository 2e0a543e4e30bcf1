import { type FormEvent, useId, useState } from "react";
import { useMay } from "../account/accountStore";
import { useTranslate } from "../i18n";
import { ConnectionTest, useConnectionTest } from "./ConnectionTest";
import { EXTRACTIVE } from "./modelNames";
import { type Model, testModel } from "./settingsApi";

const OTHER = " other";

interface ModelFieldProps {
  label: string;
  about: string;
  /** `provider:model`, or "" for the one in the server's settings. */
  value: string;
  otherwise: string;
  models: Model[];
  isDisabled?: boolean;
  onChange: (value: string) => void;
}

/** A field that chooses one of the server's models or takes a name, with a button to test it. */
export function ModelField({ label, about, value, otherwise, models, isDisabled = false, onChange }: ModelFieldProps) {
  const t = useTranslate();
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const trial = useConnectionTest();
  const mayTest = useMay("admin");
  const name = value || otherwise;
  const known = models.find((each) => each.name === name);
  const others = models.filter((each) => each.name !== value);

  const title = (model: string) => (model === EXTRACTIVE ? t("settings.setup.none") : model);
  const typed = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("model");
    if (typeof given === "string" && given.trim()) onChange(given.trim());
    setTyping(false);
  };
  const choose = (chosen: string) => {
    trial.clear();
    if (chosen === OTHER) setTyping(true);
    else onChange(chosen);
  };

  return (
    <div className="setting">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <p className="soft small">{about}</p>
      {isTyping && !isDisabled ? (
        <form className="with-button" onSubmit={typed}>
          <input
            id={id}
            name="model"
            className="field"
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
            autoFocus
            spellCheck={false}
            autoComplete="off"
            placeholder={t("settings.model.example")}
            onKeyDown={(event) => event.key === "Escape" && setTyping(false)}
          />
          <button type="submit" className="button">
            {t("settings.use")}
          </button>
        </form>
      ) : (
        <div className="with-button">
          <select
            id={id}
            className="field"
            value={value}
            disabled={isDisabled}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{t("settings.model.default", { model: title(otherwise) })}</option>
            {value && <option value={value}>{title(value)}</option>}
            {others.map((each) => (
              <option key={each.name} value={each.name}>
                {each.reachable ? title(each.name) : t("settings.model.away", { model: each.name })}
              </option>
            ))}
            <option value={OTHER}>{t("settings.model.other")}</option>
          </select>
          {mayTest && (
            <button
              type="button"
              className="button"
              disabled={isDisabled || trial.isBusy}
              onClick={() => trial.run(() => testModel(name))}
            >
              {t("settings.test")}
            </button>
          )}
        </div>
      )}
      {!isDisabled && (
        <ConnectionTest
          trial={trial}
          good={({ seconds = 0 }) =>
            t("settings.model.answers", { seconds: Math.max(0.1, Math.round(seconds * 10) / 10) })
          }
        />
      )}
      {!isDisabled && known && (
        <p className="soft small">{t(known.local ? "settings.model.local" : "settings.model.remote")}</p>
      )}
    </div>
  );
}
