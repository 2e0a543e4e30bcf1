import { type FormEvent, useId, useState } from "react";
import { CopyField } from "../components/CopyField";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { type Invitation, invite, loadInvitations, type Role, revokeInvitation } from "./peopleApi";
import { RoleChoice } from "./RoleChoice";
import { ROLE_NAMES } from "./roles";

/** Makes invitations, and lists those that nobody has used yet. */
export function InvitationsTab() {
  const t = useTranslate();
  const loaded = useRequest(loadInvitations);
  const { isBusy, problem, run } = useAction();
  const takeBack = async (invitation: string) => {
    if (await run(() => revokeInvitation(invitation))) loaded.retry();
  };
  return (
    <>
      <InvitationForm onMade={loaded.retry} />
      <section aria-labelledby="people-invitations">
        <h2 id="people-invitations">{t("people.invitations.open")}</h2>
        {problem && <ErrorMessage fault={problem} />}
        <Loaded loaded={loaded}>
          {(invitations) =>
            invitations.length ? (
              <ul className="people-rows" aria-label={t("people.invitations.open")}>
                {invitations.map((each) => (
                  <InvitationRow key={each.id} invitation={each} isBusy={isBusy} onTakeBack={() => takeBack(each.id)} />
                ))}
              </ul>
            ) : (
              <p className="soft people-none">{t("people.invitations.none")}</p>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

interface InvitationRowProps {
  invitation: Invitation;
  isBusy: boolean;
  onTakeBack: () => void;
}

function InvitationRow({ invitation, isBusy, onTakeBack }: InvitationRowProps) {
  const t = useTranslate();
  const { email, role, created, expires, by } = invitation;
  const name = email || t("people.invitation.anyone");
  const facts = [
    by && t("people.invitation.by", { name: by, when: formatWhen(created, t.language) }),
    t("people.invitation.until", { when: formatMoment(expires, t.language) }),
  ];
  return (
    <li>
      <div className="people-row-text">
        <strong>{name}</strong>
        <span className="soft small">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      <span className="badge" data-role={role}>
        {t(ROLE_NAMES[role])}
      </span>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        aria-label={t("people.invitation.takeBack", { name })}
        onClick={onTakeBack}
      >
        {t("sharing.takeBack")}
      </button>
    </li>
  );
}

/** A form for a new invitation. Its link is shown once. */
function InvitationForm({ onMade }: { onMade: () => void }) {
  const t = useTranslate();
  const id = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [made, setMade] = useState<{ url: string; invitation: Invitation } | null>(null);
  const { isBusy, problem, run } = useAction();
  const make = async (event: FormEvent) => {
    event.preventDefault();
    const isMade = await run(async () => setMade(await invite(email.trim(), role)));
    if (!isMade) return;
    setEmail("");
    onMade();
  };
  return (
    <section className="people-card" aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`}>{t("people.invite")}</h2>
      <form className="people-form" onSubmit={make}>
        <div className="people-field">
          <label className="label" htmlFor={id}>
            {t("people.invite.email")}
          </label>
          <input
            id={id}
            className="field"
            type="email"
            autoComplete="off"
            maxLength={254}
            aria-describedby={`${id}hint`}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <p id={`${id}hint`} className="soft small">
            {t("people.invite.email.about")}
          </p>
        </div>
        <RoleChoice role={role} onRole={setRole} />
        {problem && <ErrorMessage fault={problem} />}
        <div>
          <button type="submit" className="button main" disabled={isBusy}>
            {t("people.invite.make")}
          </button>
        </div>
      </form>
      <div role="status">
        {made && (
          <div className="people-made">
            <p>{t("people.invite.made")}</p>
            <CopyField label={t("people.invite.link")} text={made.url} />
            <p className="soft small">
              {t("people.link.once", { when: formatMoment(made.invitation.expires, t.language) })}
            </p>
          </div>
        )}
      </div>
    </section>
  );
}
