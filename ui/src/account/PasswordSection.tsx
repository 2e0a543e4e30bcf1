import { useEffect, useRef, useState } from "react";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { Section } from "../settings/Section";
import { useStore } from "../state/store";
import * as accountApi from "./accountApi";
import { accountStore, type Person } from "./accountStore";
import { NewPasswordField, PasswordField } from "./PasswordField";
import { useSubmit } from "./useSubmit";

/** A form that changes the password. It is opened by a button: few people come for it. */
export function PasswordSection({ person }: { person: Person }) {
  const t = useTranslate();
  const [isOpen, open] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The focus was in the form, which is gone.
    if (!isOpen && wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Section title={t("account.password")} about={t("account.password.about")}>
      {isOpen ? (
        <PasswordForm person={person} onClose={() => open(false)} />
      ) : (
        <button ref={button} type="button" className="button" onClick={() => open(true)}>
          {t("account.password.change")}
        </button>
      )}
    </Section>
  );
}

function PasswordForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTranslate();
  const { password_length: shortest } = useStore(accountStore);
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const [wasTried, setTried] = useState(false);
  const { isBusy, problem, submit } = useSubmit(async () => {
    setTried(true);
    if (!old || !next) return;
    await accountApi.changePassword(old, next);
    showToast(t("account.password.changed"));
    onClose();
  });
  const isOldWrong = problem?.code === "not_signed_in" && problem.reason === "password";
  const isNewWrong = problem?.reason.startsWith("password_") ?? false;
  const missing = t("account.password.missing");
  const tellNew = () => {
    if (!problem || !isNewWrong) return wasTried && !next ? missing : "";
    const { message, hint } = describeError(t, problem);
    return `${message} ${hint}`.trim();
  };

  return (
    <form className="account-form" noValidate onSubmit={submit}>
      {/* Password managers keep the new password for this name. */}
      <input type="text" name="username" autoComplete="username" value={person.name} readOnly hidden />
      <PasswordField
        label={t("account.password.old")}
        autoComplete="current-password"
        autoFocus
        value={old}
        onValue={setOld}
        error={isOldWrong ? t("account.password.oldWrong") : wasTried && !old ? missing : ""}
      />
      <NewPasswordField
        label={t("account.password.new")}
        shortest={shortest}
        names={[person.name, person.email]}
        value={next}
        onValue={setNext}
        error={tellNew()}
      />
      {problem && !isOldWrong && !isNewWrong && <ErrorMessage fault={problem} />}
      <div className="account-buttons">
        <button type="submit" className="button main" disabled={isBusy}>
          {isBusy && <span className="spinner" aria-hidden="true" />}
          {t("account.password.change")}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {t("account.cancel")}
        </button>
      </div>
    </form>
  );
}
