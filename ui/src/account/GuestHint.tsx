import { Link } from "wouter";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { accountStore } from "./accountStore";
import { makeSignInPath } from "./returnPath";

/** A line that tells guests that they are guests, and how to sign in. */
export function GuestHint() {
  const t = useTranslate();
  const { mode, person } = useStore(accountStore);
  if (mode === "local" || person?.role !== "guest") return null;
  return (
    <p className="guest-hint soft small">
      {t("account.guest.hint")}{" "}
      <Link to={makeSignInPath(location)} className="plain">
        {t("account.signIn")}
      </Link>
    </p>
  );
}
