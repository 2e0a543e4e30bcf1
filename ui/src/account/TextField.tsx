import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { Icon } from "../components/Icon";

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What is wrong with the value; "" if nothing is. */
  error?: string;
  hint?: ReactNode;
  /** What stands at the end of the field, such as a button. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A field with its label, a hint, and its error below it. */
export function TextField({ label, value, onValue, error = "", hint, end, ref, ...input }: TextFieldProps) {
  const id = useId();
  const described = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(" ");
  return (
    <div className="form-field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className={end ? "field-with-end" : undefined}>
        <input
          {...input}
          ref={ref}
          id={id}
          className="field"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onChange={(event) => onValue(event.target.value)}
        />
        {end}
      </div>
      {error && (
        <p id={`${id}error`} className="field-error small">
          <Icon name="bad" size={16} />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <div id={`${id}hint`} className="soft small">
          {hint}
        </div>
      )}
    </div>
  );
}
