import { useEffect, useRef, useState } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { Problem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { isMessageKey, type MessageKey, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatDuration } from "../text/formatAmounts";
import * as accountApi from "./accountApi";
import { accountStore, type Notice } from "./accountStore";
import { EntryPage } from "./EntryPage";
import { PasswordField } from "./PasswordField";
import { checkReturnPath } from "./returnPath";
import { TextField } from "./TextField";
import { useCountdown } from "./useCountdown";
import { useSubmit } from "./useSubmit";

const NOTICES: Record<Exclude<Notice, "">, MessageKey> = {
  ended: "account.notice.ended",
  left: "account.notice.left",
  reset: "account.notice.reset",
  deleted: "account.notice.deleted",
};

/** The view in which people sign in. It leads back to where they were. */
export default function SignIn() {
  const t = useTranslate();
  const { mode, isKnown, person, notice, guests, issuer } = useStore(accountStore);
  const search = new URLSearchParams(useSearch());
  const next = checkReturnPath(search.get("next"));
  const refused = search.get("error") ?? "";
  const isGuest = person?.role === "guest";

  if (mode === "local" || (person && !isGuest)) return <Redirect to={next} replace />;
  if (!isKnown) return <main className="entry" aria-busy="true" />;
  return (
    <EntryPage title={t("account.signIn")}>
      <p role="status" className="soft entry-notice">
        {notice ? t(NOTICES[notice]) : ""}
      </p>
      {refused && <ErrorMessage fault={describeRefusal(refused)} />}
      <SignInForm />
      {(issuer || (guests && !isGuest)) && (
        <div className="entry-others">
          <p className="entry-or soft small">{t("account.or")}</p>
          {issuer && (
            <a className="button" href={`/api/account/openid?next=${encodeURIComponent(next)}`}>
              {t("account.issuer")}
            </a>
          )}
          {guests && !isGuest && <GuestButton next={next} />}
        </div>
      )}
      <p className="soft small">{t("account.signIn.help")}</p>
    </EntryPage>
  );
}

/** Make the error that the issuer's return named in the address; nothing of the address itself is shown. */
function describeRefusal(reason: string): Problem {
  const code = reason === "issuer" || !isMessageKey(`errors.not_signed_in.${reason}`) ? "issuer" : "not_signed_in";
  return new Problem({ code, reason, message: "", hint: "" });
}

function SignInForm() {
  const t = useTranslate();
  const { notice, lastName } = useStore(accountStore);
  const known = notice === "ended" ? lastName : "";
  const [name, setName] = useState(known);
  const [password, setPassword] = useState("");
  const [wasTried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const { isBusy, problem, submit } = useSubmit(async () => {
    setTried(true);
    if (!name.trim()) return nameField.current?.focus();
    if (!password) return passwordField.current?.focus();
    accountStore.enter(await accountApi.signIn(name.trim(), password));
  });
  const wait = useCountdown(problem?.status === 429 ? Number(problem.params.seconds ?? 0) : 0, problem);
  const isLocked = problem?.status === 429;

  useEffect(() => (known ? passwordField : nameField).current?.focus(), [known]);
  useEffect(() => {
    if (problem?.reason === "password") passwordField.current?.select();
  }, [problem]);

  return (
    <form className="entry-form" noValidate onSubmit={submit}>
      <TextField
        ref={nameField}
        label={t("account.nameOrEmail")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
        value={name}
        onValue={setName}
        error={wasTried && !name.trim() ? t("account.nameOrEmail.missing") : ""}
      />
      <PasswordField
        ref={passwordField}
        label={t("account.password")}
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={wasTried && !password ? t("account.password.missing") : ""}
      />
      {problem && !isLocked && <ErrorMessage fault={problem} />}
      {isLocked && (
        <ErrorMessage fault={{ code: problem.code, message: problem.message, hint: t("account.locked.hint") }} />
      )}
      <button type="submit" className="button main" disabled={isBusy || wait > 0}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {wait > 0 ? t("account.signIn.wait", { time: formatDuration(wait, t.language) }) : t("account.signIn")}
      </button>
    </form>
  );
}

function GuestButton({ next }: { next: string }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const { isBusy, problem, submit } = useSubmit(async () => {
    accountStore.enter(await accountApi.continueAsGuest());
    go(next, { replace: true });
  });
  return (
    <form className="entry-form" onSubmit={submit}>
      {problem && <ErrorMessage fault={problem} />}
      <button type="submit" className="button" disabled={isBusy}>
        {t("account.guest.begin")}
      </button>
    </form>
  );
}
