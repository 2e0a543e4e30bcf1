import { type FormEvent, useState } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { changePerson, type Person, type Role } from "./peopleApi";
import { RoleChoice } from "./RoleChoice";

interface RoleDialogProps {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}

/** A dialog that changes the role of a person. */
export function RoleDialog({ person, onClose, onDone }: RoleDialogProps) {
  const t = useTranslate();
  const [role, setRole] = useState<Role>(person.role);
  const { isBusy, problem, run } = useAction();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await run(() => changePerson(person.id, { role })))) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title={t("people.role.of", { name: person.name })} onClose={onClose}>
      <form className="people-form" onSubmit={save}>
        <RoleChoice role={role} onRole={setRole} />
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("settings.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy || role === person.role}>
            {t("settings.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
