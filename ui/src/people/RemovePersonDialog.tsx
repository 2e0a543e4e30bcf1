import { type FormEvent, useId, useState } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { type Person, removePerson } from "./peopleApi";

interface RemovePersonDialogProps {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}

/** A dialog that removes a person and all that belongs to them, once their name is typed. */
export function RemovePersonDialog({ person, onClose, onDone }: RemovePersonDialogProps) {
  const t = useTranslate();
  const id = useId();
  const [typed, setTyped] = useState("");
  const { isBusy, problem, run } = useAction();
  const isMeant = typed.trim() === person.name;
  const remove = async (event: FormEvent) => {
    event.preventDefault();
    if (!isMeant || !(await run(() => removePerson(person.id)))) return;
    showToast(t("people.removed", { name: person.name }));
    onClose();
    onDone();
  };
  return (
    <Dialog title={t("people.remove.of", { name: person.name })} onClose={onClose}>
      <form className="people-form" onSubmit={remove}>
        <p>{t("people.remove.about")}</p>
        <label className="label" htmlFor={id}>
          {t("people.remove.type", { name: person.name })}
        </label>
        <input
          id={id}
          className="field"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("settings.cancel")}
          </button>
          <button type="submit" className="button danger" disabled={isBusy || !isMeant}>
            {t("people.remove.do")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
