import { useState } from "react";
import { CreditBar } from "../components/CreditBar";
import { Icon, type IconName } from "../components/Icon";
import { Menu } from "../components/Menu";
import { useTranslate } from "../i18n";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { AccessDialog } from "./AccessDialog";
import { changePerson, type Person } from "./peopleApi";
import { QuotaDialog } from "./QuotaDialog";
import { RemovePersonDialog } from "./RemovePersonDialog";
import { ResetDialog } from "./ResetDialog";
import { RoleDialog } from "./RoleDialog";
import { ROLE_NAMES } from "./roles";

type Window = "role" | "reset" | "quota" | "access" | "remove";

interface PersonRowProps {
  person: Person;
  /** Run a request, show what came of it, and load the list again. */
  act: (request: () => Promise<unknown>, done?: string) => Promise<void>;
}

/** One person: their role and state, their last use, their credits of this month, and a menu. */
export function PersonRow({ person, act }: PersonRowProps) {
  const t = useTranslate();
  const [window, open] = useState<Window | null>(null);
  const { id, name, email, role, disabled, used } = person;
  const close = () => open(null);
  const reload = () => act(async () => undefined);
  return (
    <li className="person" data-person={id} data-disabled={disabled || undefined}>
      <div className="person-name">
        <strong>{name}</strong>
        {email && email !== name && <span className="soft small">{email}</span>}
      </div>
      <div className="person-badges">
        <span className="badge" data-role={role}>
          {t(ROLE_NAMES[role])}
        </span>
        {disabled && (
          <span className="badge" data-state="disabled">
            {t("people.disabled")}
          </span>
        )}
      </div>
      <span className="person-used soft small">
        {used === null ? (
          t("people.used.never")
        ) : (
          <time dateTime={new Date(used * 1000).toISOString()} title={formatMoment(used, t.language)}>
            {t("people.used", { when: formatWhen(used, t.language) })}
          </time>
        )}
      </span>
      <CreditBar spent={person.credits_spent} allowed={person.credits_allowed} />
      <Menu label={t("people.acts", { name })} trigger={<Icon name="menu" />}>
        {(leave) => {
          const item = (icon: IconName, label: string, run: () => void, isDanger = false) => (
            <button
              type="button"
              role="menuitem"
              className={isDanger ? "menu-item danger" : "menu-item"}
              onClick={() => {
                leave();
                run();
              }}
            >
              <Icon name={icon} size={16} />
              {label}
            </button>
          );
          return (
            <>
              {item("person", t("people.role.change"), () => open("role"))}
              {item("link", t("people.reset"), () => open("reset"))}
              {item("report", t("people.quota"), () => open("quota"))}
              {item("list", t("people.access"), () => open("access"))}
              {disabled
                ? item("check", t("people.enable"), () => {
                    void act(() => changePerson(id, { disabled: false }), t("people.enabled", { name }));
                  })
                : item("stop", t("people.disable"), () => {
                    void act(() => changePerson(id, { disabled: true }), t("people.disabled.done", { name }));
                  })}
              {item("remove", t("people.remove"), () => open("remove"), true)}
            </>
          );
        }}
      </Menu>
      {window === "role" && <RoleDialog person={person} onClose={close} onDone={reload} />}
      {window === "reset" && <ResetDialog person={person} onClose={close} />}
      {window === "quota" && <QuotaDialog person={person} onClose={close} onDone={reload} />}
      {window === "access" && <AccessDialog person={person} onClose={close} onDone={reload} />}
      {window === "remove" && <RemovePersonDialog person={person} onClose={close} onDone={reload} />}
    </li>
  );
}
