import { Redirect } from "wouter";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { useTranslate } from "../i18n";
import { Section } from "../settings/Section";
import { useStore } from "../state/store";
import { formatMoment } from "../text/formatAmounts";
import { accountStore, type Person } from "./accountStore";
import { CreditSections } from "./CreditSections";
import { GuestHint } from "./GuestHint";
import { OwnData } from "./OwnData";
import { PasswordSection } from "./PasswordSection";
import { ROLE_WORDS } from "./roleWords";
import { SessionList } from "./SessionList";
import { TokenList } from "./TokenList";
import "../styles/fields.css";
import "../settings/settings.css";
import "./account.css";

/** The person's own account. */
export default function Account() {
  const t = useTranslate();
  const { mode, person } = useStore(accountStore);
  useDocumentTitle(t("account.title"));
  if (mode === "local" || !person) return <Redirect to="/" replace />;
  const isGuest = person.role === "guest";
  return (
    <main className="main room" id="main">
      <div className="room-inside settings">
        <header className="room-head">
          <h1>{t("account.title")}</h1>
        </header>
        <GuestHint />
        <Identity person={person} />
        <CreditSections isGuest={isGuest} />
        {!isGuest && <PasswordSection person={person} />}
        {!isGuest && <SessionList />}
        {!isGuest && <TokenList />}
        <OwnData person={person} />
      </div>
    </main>
  );
}

/** Who the person is on this server. */
function Identity({ person }: { person: Person }) {
  const t = useTranslate();
  const isGuest = person.role === "guest";
  const facts = [
    [t("account.name"), isGuest ? t("account.guest") : person.name],
    [t("account.email"), person.email],
    [t("account.role"), t(ROLE_WORDS[person.role])],
    [t("account.since"), formatMoment(person.created, t.language)],
  ];
  return (
    <Section title={t("account.who")} about={isGuest ? "" : t("account.who.about")}>
      <dl className="facts">
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt className="soft">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Section>
  );
}
