import { type ReactNode, useId } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import type { Request } from "./useRequest";

/** A section of the settings: its title on the left, its fields on the right. */
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

/** Shows loaded data, a placeholder while it loads, or the error with a button to try again. */
export function Loaded<T>({ loaded, children }: { loaded: Request<T>; children: (value: T) => ReactNode }) {
  const t = useTranslate();
  if (loaded.value !== null) return children(loaded.value);
  if (loaded.problem)
    return (
      <ErrorMessage fault={loaded.problem}>
        <button type="button" className="button" onClick={loaded.retry}>
          {t("settings.again")}
        </button>
      </ErrorMessage>
    );
  return (
    <div className="skeleton" role="status" aria-label={t("settings.loading")} style={{ height: "var(--space-36)" }} />
  );
}

interface SwitchProps {
  label: string;
  about?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch. */
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

/** A choice between a few options, side by side. */
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
