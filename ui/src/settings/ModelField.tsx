import { type FormEvent, useId, useState } from "react";
import { useWords } from "../words";
import { type Model, testModel } from "./asking";
import { Trial, useTrial } from "./Trial";

const OTHER = " other";

interface ModelFieldProps {
  label: string;
  about: string;
  /** `provider:model`, or "" for the one the server is set to. */
  value: string;
  otherwise: string;
  models: Model[];
  isDisabled?: boolean;
  onChange: (value: string) => void;
}

/** Choose a model among those the server knows, or type its name; and see whether it answers. */
export function ModelField({ label, about, value, otherwise, models, isDisabled = false, onChange }: ModelFieldProps) {
  const say = useWords();
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const trial = useTrial();
  const name = value || otherwise;
  const known = models.find((each) => each.name === name);
  const others = models.filter((each) => each.name !== value);

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
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
            autoFocus
            spellCheck={false}
            autoComplete="off"
            placeholder={say("settings.model.example")}
            onKeyDown={(event) => event.key === "Escape" && setTyping(false)}
          />
          <button type="submit" className="button">
            {say("settings.use")}
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
            <option value="">{say("settings.model.default", { model: otherwise })}</option>
            {value && <option value={value}>{value}</option>}
            {others.map((each) => (
              <option key={each.name} value={each.name}>
                {each.reachable ? each.name : say("settings.model.away", { model: each.name })}
              </option>
            ))}
            <option value={OTHER}>{say("settings.model.other")}</option>
          </select>
          <button
            type="button"
            className="button"
            disabled={isDisabled || trial.isBusy}
            onClick={() => trial.run(() => testModel(name))}
          >
            {say("settings.test")}
          </button>
        </div>
      )}
      {!isDisabled && (
        <Trial
          trial={trial}
          good={({ seconds = 0 }) =>
            say("settings.model.answers", { seconds: Math.max(0.1, Math.round(seconds * 10) / 10) })
          }
        />
      )}
      {!isDisabled && known && (
        <p className="soft small">{say(known.local ? "settings.model.local" : "settings.model.remote")}</p>
      )}
    </div>
  );
}
