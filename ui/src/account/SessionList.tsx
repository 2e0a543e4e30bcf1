import { useState } from "react";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { type Translate, useTranslate } from "../i18n";
import { Loaded, Section } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { endOtherSessions, endSession, loadSessions, type Session } from "./accountApi";
import { nameBrowser } from "./browserNames";

/** Where the person is signed in, with buttons to end that. */
export function SessionList() {
  const t = useTranslate();
  const loaded = useRequest(loadSessions);
  const [isBusy, setBusy] = useState(false);

  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      const { message, hint } = describeError(t, toProblem(error));
      showToast(`${message} ${hint}`.trim());
    }
    loaded.retry();
    setBusy(false);
  };
  const end = (session: Session) =>
    run(async () => {
      await endSession(session.id);
      showToast(t("account.session.ended", { name: describeSession(t, session) }));
    });
  const endOthers = () =>
    run(async () => {
      showToast(t.count("account.sessions.ended", await endOtherSessions()));
    });

  return (
    <Section title={t("account.sessions")} about={t("account.sessions.about")}>
      <Loaded loaded={loaded}>
        {(sessions) => (
          <>
            <ul className="account-list" aria-label={t("account.sessions")}>
              {sessions.toSorted(byCurrent).map((session) => (
                <SessionRow key={session.id} session={session} isBusy={isBusy} onEnd={() => void end(session)} />
              ))}
            </ul>
            {sessions.some(({ current }) => !current) && (
              <button type="button" className="button" disabled={isBusy} onClick={() => void endOthers()}>
                {t("account.sessions.endOthers")}
              </button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const byCurrent = (one: Session, other: Session) => Number(other.current) - Number(one.current);

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const t = useTranslate();
  const { created, used, address, current, agent } = session;
  const name = describeSession(t, session);
  return (
    <li>
      <div className="account-row-text">
        <p className="account-row-name">
          <span title={agent}>{name}</span>
          {current && <span className="badge">{t("account.session.current")}</span>}
        </p>
        <p className="soft small">
          {address && <span>{address}</span>}
          <span title={formatMoment(used, t.language)}>
            {t("account.session.used", { time: formatWhen(used, t.language) })}
          </span>
          <span title={formatMoment(created, t.language)}>
            {t("account.session.since", { time: formatWhen(created, t.language) })}
          </span>
        </p>
      </div>
      {!current && (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          aria-label={t("account.session.end.name", { name })}
          onClick={onEnd}
        >
          {t("account.session.end")}
        </button>
      )}
    </li>
  );
}

/** Name a session by its browser and system. */
function describeSession(t: Translate, { agent }: Session): string {
  const { browser, system } = nameBrowser(agent);
  if (browser && system) return t("account.session.name", { browser, system });
  return browser || system || t("account.session.unknown");
}
