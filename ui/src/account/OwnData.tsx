import { useState } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { Section } from "../settings/Section";
import * as accountApi from "./accountApi";
import { accountStore, type Person } from "./accountStore";
import { PasswordField } from "./PasswordField";
import { TextField } from "./TextField";
import { useSubmit } from "./useSubmit";

/** The person's data: a copy to download, and the end of the account. */
export function OwnData({ person }: { person: Person }) {
  const t = useTranslate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Section title={t("account.data")} about={t("account.data.about")}>
      <div className="setting">
        <p>{t("account.export.about")}</p>
        <a className="button account-link" href={accountApi.EXPORT_PATH} download>
          <Icon name="export" size={16} />
          {t("account.export")}
        </a>
      </div>
      <div className="setting">
        <p>{t("account.delete.about")}</p>
        <button type="button" className="button danger account-link" onClick={() => setDeleting(true)}>
          <Icon name="remove" size={16} />
          {t("account.delete")}
        </button>
      </div>
      {isDeleting && <DeletionForm person={person} onClose={() => setDeleting(false)} />}
    </Section>
  );
}

/** A dialog that deletes the account, once its name was typed and the password is right. */
function DeletionForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTranslate();
  const isGuest = person.role === "guest";
  const wanted = isGuest ? t("account.delete.word") : person.name;
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const { isBusy, problem, submit } = useSubmit(() => accountStore.deleteAccount(password));
  const isPasswordWrong = problem?.code === "not_signed_in" && problem.reason === "password";
  const isSure = typed.trim().toLocaleLowerCase() === wanted.toLocaleLowerCase() && (isGuest || password !== "");
  return (
    <Dialog title={t("account.delete.title")} onClose={onClose}>
      <form className="account-form" noValidate onSubmit={submit}>
        <p>{t("account.delete.what")}</p>
        <TextField
          label={t("account.delete.type", { name: wanted })}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={typed}
          onValue={setTyped}
        />
        {!isGuest && (
          <PasswordField
            label={t("account.password")}
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            error={isPasswordWrong ? t("account.password.wrong") : ""}
          />
        )}
        {problem && !isPasswordWrong && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("account.cancel")}
          </button>
          <button type="submit" className="button danger" disabled={isBusy || !isSure}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {t("account.delete.do")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
