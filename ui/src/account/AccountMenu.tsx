import { Link, useLocation } from "wouter";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon, type IconName } from "../components/Icon";
import { Menu } from "../components/Menu";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { accountStore } from "./accountStore";
import { ROLE_WORDS } from "./roleWords";

/** The menu of the person who is signed in; nothing on a server without accounts. */
export function AccountMenu() {
  const t = useTranslate();
  const [path] = useLocation();
  const { mode, person } = useStore(accountStore);
  if (mode === "local" || !person) return null;
  const isGuest = person.role === "guest";
  const name = isGuest ? t("account.guest") : person.name;

  const leave = () =>
    accountStore.signOut().catch((error: unknown) => {
      const { message, hint } = describeError(t, toProblem(error));
      showToast(`${message} ${hint}`.trim());
    });

  return (
    <div className="rail-person" data-current={/^\/(account|people)/.test(path) || undefined}>
      <Menu
        label={t("account.menu", { name })}
        className="rail-room"
        trigger={
          isGuest ? <Icon name="person" /> : <span className="initials" data-initials={makeInitials(person.name)} />
        }
      >
        {(close) => {
          const item = (to: string, icon: IconName, label: string) => (
            <Link to={to} role="menuitem" className="menu-item" onClick={close}>
              <Icon name={icon} size={16} />
              {label}
            </Link>
          );
          return (
            <>
              <div className="menu-head" role="none">
                <span className="menu-name">{name}</span>
                {!isGuest && <span className="soft small">{t(ROLE_WORDS[person.role])}</span>}
              </div>
              {isGuest && item("/sign-in", "person", t("account.signIn"))}
              {item("/account", isGuest ? "settings" : "person", t("account.title"))}
              {person.role === "owner" && item("/people", "people", t("account.people"))}
              <button
                type="button"
                role="menuitem"
                className="menu-item"
                onClick={() => {
                  close();
                  void leave();
                }}
              >
                <Icon name="leave" size={16} />
                {t(isGuest ? "account.guest.end" : "account.signOut")}
              </button>
            </>
          );
        }}
      </Menu>
    </div>
  );
}

/** Make one or two letters from a name: of its first and its last word. */
export function makeInitials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toLocaleUpperCase();
}
