import { type ReactNode, useId } from "react";
import { Trouble } from "../look/Trouble";
import { useWords } from "../words";
import type { Loaded } from "./loaded";

/** A part of the settings: what it is about on the left, its fields on the right. */
export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className="settings-section" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {about && <p className="soft">{about}</p>}
      </header>
      <div className="settings-fields">{children}</div>
    </section>
  );
}

/** What was loaded, or a quiet placeholder, or why there is nothing and a way to try again. */
export function Ready<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ReactNode }) {
  const say = useWords();
  if (loaded.value !== null) return children(loaded.value);
  if (loaded.problem)
    return (
      <Trouble fault={loaded.problem}>
        <button type="button" className="button" onClick={loaded.again}>
          {say("settings.again")}
        </button>
      </Trouble>
    );
  return <div className="skeleton" role="status" aria-label={say("settings.loading")} style={{ height: 36 }} />;
}

interface SwitchProps {
  label: string;
  about?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off. */
export function Switch({ label, about, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch-row">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isDisabled}
          aria-describedby={about ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="switch-track" aria-hidden="true" />
        <span>{label}</span>
      </label>
      {about && (
        <p id={id} className="soft small">
          {about}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** One of a few, side by side. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="label">{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
