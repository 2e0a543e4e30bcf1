import { useId, useState } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { type MadeToken, makeToken } from "./accountApi";
import { accountStore, type Scope } from "./accountStore";
import { SCOPE_WORDS } from "./roleWords";
import { TextField } from "./TextField";
import { useSubmit } from "./useSubmit";

const DAYS = [7, 30, 90, 365];
const USUAL_DAYS = 90;

/** A dialog that makes a token: its name, what it allows, and how long. */
export function TokenForm({ onClose, onMade }: { onClose: () => void; onMade: (made: MadeToken) => void }) {
  const t = useTranslate();
  const id = useId();
  const { scopes: allowed } = useStore(accountStore);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["read"]);
  const [days, setDays] = useState<number | null>(USUAL_DAYS);
  const [wasTried, setTried] = useState(false);
  const { isBusy, problem, submit } = useSubmit(async () => {
    setTried(true);
    if (!name.trim() || !scopes.length) return;
    onMade(await makeToken({ name: name.trim(), scopes, days }));
  });
  const toggle = (scope: Scope) =>
    setScopes((now) => (now.includes(scope) ? now.filter((each) => each !== scope) : [...now, scope]));

  return (
    <Dialog title={t("account.token.make")} onClose={onClose}>
      <form className="account-form" noValidate onSubmit={submit}>
        <TextField
          label={t("account.token.name")}
          autoComplete="off"
          autoFocus
          maxLength={100}
          placeholder={t("account.token.name.example")}
          value={name}
          onValue={setName}
          error={wasTried && !name.trim() ? t("account.token.name.missing") : ""}
        />
        <fieldset className="scopes">
          <legend className="label">{t("account.token.scopes")}</legend>
          {allowed.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              <span>{t(SCOPE_WORDS[scope])}</span>
            </label>
          ))}
          {wasTried && !scopes.length && (
            <p className="field-error small" role="alert">
              {t("account.token.scopes.missing")}
            </p>
          )}
        </fieldset>
        <div className="form-field">
          <label className="label" htmlFor={`${id}days`}>
            {t("account.token.days")}
          </label>
          <select
            id={`${id}days`}
            className="field"
            value={days ?? ""}
            onChange={({ target }) => setDays(target.value ? Number(target.value) : null)}
          >
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t.count("account.days", each)}
              </option>
            ))}
            <option value="">{t("account.token.never")}</option>
          </select>
          <p className="soft small">{t("account.token.days.hint")}</p>
        </div>
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("account.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy}>
            {t("account.token.make")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
