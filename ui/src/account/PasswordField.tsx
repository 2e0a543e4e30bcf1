import { useState } from "react";
import { type MessageKey, useTranslate } from "../i18n";
import { ratePassword, type Strength } from "./passwordStrength";
import { TextField, type TextFieldProps } from "./TextField";

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({ maxLength = 1024, ...props }: TextFieldProps) {
  const t = useTranslate();
  const [isShown, show] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? "text" : "password"}
      maxLength={maxLength}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="plain field-end small"
          aria-label={t(isShown ? "account.password.hide" : "account.password.show")}
          onClick={() => show(!isShown)}
        >
          {t(isShown ? "account.password.hideShort" : "account.password.showShort")}
        </button>
      }
    />
  );
}

interface NewPasswordFieldProps extends TextFieldProps {
  shortest: number;
  /** The names of the person, which make a password easy to guess. */
  names?: readonly string[];
}

/** A field for a new password. It says what is required and how strong the password is. */
export function NewPasswordField({ shortest, names = [], ...props }: NewPasswordFieldProps) {
  const t = useTranslate();
  const strength = ratePassword(props.value, shortest, names);
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      hint={
        <>
          <p>{t("account.password.rule", { n: shortest })}</p>
          <p className="strength" data-strength={strength}>
            <span className="strength-bar" aria-hidden="true" />
            <span role="status">{strength !== "empty" && t(STRENGTH_WORDS[strength])}</span>
          </p>
        </>
      }
    />
  );
}

const STRENGTH_WORDS: Record<Exclude<Strength, "empty">, MessageKey> = {
  short: "account.strength.short",
  weak: "account.strength.weak",
  fair: "account.strength.fair",
  strong: "account.strength.strong",
};
