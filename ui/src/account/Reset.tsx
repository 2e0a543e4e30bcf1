import { useState } from "react";
import { Link, Redirect, useLocation } from "wouter";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import * as accountApi from "./accountApi";
import { accountStore } from "./accountStore";
import { EntryPage } from "./EntryPage";
import { linkSecret } from "./linkSecret";
import { NewPasswordField } from "./PasswordField";
import { useSubmit } from "./useSubmit";

/** The view of a link with which a person sets a new password. */
export default function Reset() {
  const t = useTranslate();
  const secret = useStore(linkSecret);
  const { mode, isKnown } = useStore(accountStore);
  if (mode === "local") return <Redirect to="/" replace />;
  if (!isKnown) return <main className="entry" aria-busy="true" />;
  return (
    <EntryPage title={t("account.reset")}>
      {secret ? (
        <ResetForm secret={secret} />
      ) : (
        <>
          <p>{t("account.reset.needsLink")}</p>
          <p className="soft">{t("account.reset.needsLink.hint")}</p>
          <Link to="/sign-in" className="button main">
            {t("account.toSignIn")}
          </Link>
        </>
      )}
    </EntryPage>
  );
}

function ResetForm({ secret }: { secret: string }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const { password_length: shortest } = useStore(accountStore);
  const [password, setPassword] = useState("");
  const [wasTried, setTried] = useState(false);
  const { isBusy, problem, submit } = useSubmit(async () => {
    setTried(true);
    if (!password) return;
    await accountApi.resetPassword(secret, password);
    linkSecret.set("");
    // All sessions of the person have ended, perhaps that of this browser too.
    await accountStore.check();
    accountStore.setNotice("reset");
    go("/sign-in", { replace: true });
  });
  const isPassword = problem?.reason.startsWith("password") ?? false;
  const { message, hint } = problem && isPassword ? describeError(t, problem) : { message: "", hint: "" };

  return (
    <form className="entry-form" noValidate onSubmit={submit}>
      <p className="soft">{t("account.reset.about")}</p>
      <NewPasswordField
        label={t("account.password.new")}
        name="password"
        autoFocus
        shortest={shortest}
        value={password}
        onValue={setPassword}
        error={`${message} ${hint}`.trim() || (wasTried && !password ? t("account.password.missing") : "")}
      />
      {problem && !isPassword && <ErrorMessage fault={problem} />}
      <button type="submit" className="button main" disabled={isBusy}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {t("account.reset.save")}
      </button>
    </form>
  );
}
