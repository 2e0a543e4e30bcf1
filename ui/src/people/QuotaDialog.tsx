import { type FormEvent, useId, useState } from "react";
import { CreditBar } from "../components/CreditBar";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { type Person, resetQuota, setQuota } from "./peopleApi";

type Kind = "role" | "own" | "none";

interface QuotaDialogProps {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}

/** A dialog that sets the credits of a person in a month: those of the role, a number, or no limit. */
export function QuotaDialog({ person, onClose, onDone }: QuotaDialogProps) {
  const t = useTranslate();
  const id = useId();
  const [kind, setKind] = useState<Kind>("own");
  const [credits, setCredits] = useState("");
  const { isBusy, problem, run } = useAction();
  const amount = Number(credits);
  const isValid = kind !== "own" || (credits.trim() !== "" && Number.isFinite(amount) && amount >= 0);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const request = () =>
      kind === "role" ? resetQuota(person.id) : setQuota(person.id, kind === "own" ? amount : null);
    if (!isValid || !(await run(request))) return;
    onClose();
    onDone();
  };
  const option = (value: Kind, label: string, about: string) => (
    <label>
      <input type="radio" name={id} checked={kind === value} onChange={() => setKind(value)} />
      <span>
        <span>{label}</span>
        <span className="soft small">{about}</span>
      </span>
    </label>
  );
  return (
    <Dialog title={t("people.quota.of", { name: person.name })} onClose={onClose}>
      <form className="people-form" onSubmit={save}>
        <CreditBar spent={person.credits_spent} allowed={person.credits_allowed} />
        <fieldset className="role-choice">
          <legend className="label">{t("people.quota.kind")}</legend>
          {option("own", t("people.quota.own"), t("people.quota.own.about"))}
          <input
            type="number"
            className="field"
            min={0}
            step="any"
            aria-label={t("people.quota.credits")}
            value={credits}
            onFocus={() => setKind("own")}
            onChange={(event) => setCredits(event.target.value)}
          />
          {option("role", t("people.quota.role"), t("people.quota.role.about"))}
          {option("none", t("people.quota.none"), t("people.quota.none.about"))}
        </fieldset>
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("settings.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy || !isValid}>
            {t("settings.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
