import { useEffect, useState } from "react";
import { Link, Redirect, useLocation, useSearch } from "wouter";
import { type Problem, toProblem } from "../api/problem";
import { describeError, ErrorMessage } from "../components/ErrorMessage";
import { type MessageKey, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatMoment } from "../text/formatAmounts";
import * as accountApi from "./accountApi";
import { accountStore } from "./accountStore";
import { EntryPage } from "./EntryPage";
import { linkSecret } from "./linkSecret";
import { NewPasswordField } from "./PasswordField";
import { TextField } from "./TextField";
import { useSubmit } from "./useSubmit";

const INVITED_AS: Record<accountApi.Invitation["role"], MessageKey> = {
  owner: "account.join.owner",
  member: "account.join.member",
  guest: "account.join.guest",
};

/** The view of an invitation, in which one person makes an account. */
export default function Join() {
  const t = useTranslate();
  const secret = useStore(linkSecret);
  const { mode, isKnown, person } = useStore(accountStore);
  const { invitation, problem } = useInvitation(mode === "team" ? secret : "");
  if (mode === "local") return <Redirect to="/" replace />;
  if (!isKnown || (secret && !invitation && !problem)) return <main className="entry" aria-busy="true" />;
  return (
    <EntryPage title={t("account.join")}>
      {!secret && (
        <>
          <p>{t("account.join.needsLink")}</p>
          <p className="soft">{t("account.join.needsLink.hint")}</p>
        </>
      )}
      {problem && <ErrorMessage fault={problem} />}
      {invitation && (
        <>
          <p>
            {t(INVITED_AS[invitation.role])}{" "}
            {t("account.join.until", { time: formatMoment(invitation.expires, t.language) })}
          </p>
          {person && <p className="soft">{t("account.join.signedIn", { name: person.name })}</p>}
          <JoinForm secret={secret} invitation={invitation} />
        </>
      )}
      {!invitation && (
        <Link to="/sign-in" className="button main">
          {t("account.toSignIn")}
        </Link>
      )}
    </EntryPage>
  );
}

interface LoadedInvitation {
  invitation: accountApi.Invitation | null;
  problem: Problem | null;
}

/** Load the invitation of a secret; nothing for "". */
function useInvitation(secret: string): LoadedInvitation {
  const [loaded, set] = useState<LoadedInvitation>({ invitation: null, problem: null });
  useEffect(() => {
    if (!secret) return;
    let isGone = false;
    set({ invitation: null, problem: null });
    accountApi.readInvitation(secret).then(
      (invitation) => !isGone && set({ invitation, problem: null }),
      (error: unknown) => !isGone && set({ invitation: null, problem: toProblem(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [secret]);
  return loaded;
}

type Part = "name" | "password" | "code";

/** Return the field that a problem is about; null for none. */
function findField({ code, reason }: Problem): Part | null {
  if (code === "referral") return "code";
  if (reason.startsWith("password")) return "password";
  if (code === "taken" || reason === "name") return "name";
  return null;
}

function JoinForm({ secret, invitation }: { secret: string; invitation: accountApi.Invitation }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const { password_length: shortest } = useStore(accountStore);
  const given = new URLSearchParams(useSearch()).get("code")?.slice(0, 100) ?? "";
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState(given);
  const [wasTried, setTried] = useState(false);

  const { isBusy, problem, submit } = useSubmit(async () => {
    setTried(true);
    if (!name.trim() || !password) return;
    const body = { secret, name: name.trim(), password, email: invitation.email, referral: code.trim() };
    const info = await accountApi.join(body);
    linkSecret.set("");
    accountStore.enter(info);
    go("/", { replace: true });
  });
  const wrong = problem && findField(problem);
  const tell = (field: Part, missing = "") => {
    if (problem && wrong === field) {
      const { message, hint } = describeError(t, problem);
      return `${message} ${hint}`.trim();
    }
    return wasTried ? missing : "";
  };

  return (
    <form className="entry-form" noValidate onSubmit={submit}>
      <TextField
        label={t("account.name")}
        name="username"
        autoComplete="username"
        spellCheck={false}
        maxLength={100}
        autoFocus
        value={name}
        onValue={setName}
        error={tell("name", name.trim() ? "" : t("account.name.missing"))}
        hint={t("account.name.hint")}
      />
      {invitation.email && (
        <TextField
          label={t("account.email")}
          type="email"
          autoComplete="email"
          readOnly
          value={invitation.email}
          onValue={() => undefined}
          hint={t("account.email.hint")}
        />
      )}
      <NewPasswordField
        label={t("account.password")}
        name="password"
        shortest={shortest}
        names={[name, invitation.email]}
        value={password}
        onValue={setPassword}
        error={tell("password", password ? "" : t("account.password.missing"))}
      />
      <TextField
        label={t("account.code")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        value={code}
        onValue={setCode}
        error={tell("code")}
        hint={t("account.code.hint")}
      />
      {problem && !wrong && <ErrorMessage fault={problem} />}
      <button type="submit" className="button main" disabled={isBusy}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {t("account.join.make")}
      </button>
    </form>
  );
}
