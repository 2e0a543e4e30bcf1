import { useId } from "react";
import { useTranslate } from "../i18n";
import type { Role } from "./peopleApi";
import { ROLE_MEANINGS, ROLE_NAMES, ROLES } from "./roles";

/** A choice of a role, with what each may do. */
export function RoleChoice({ role, onRole }: { role: Role; onRole: (role: Role) => void }) {
  const t = useTranslate();
  const name = useId();
  return (
    <fieldset className="role-choice">
      <legend className="label">{t("people.role")}</legend>
      {ROLES.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === role} onChange={() => onRole(each)} />
          <span>
            <span>{t(ROLE_NAMES[each])}</span>
            <span className="soft small">{t(ROLE_MEANINGS[each])}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
