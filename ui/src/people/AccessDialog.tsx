import { useCallback } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatWhen } from "../text/formatAmounts";
import { endSessions, loadAccess, type Person, revokeToken } from "./peopleApi";

interface AccessDialogProps {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}

/** A dialog with the places where a person is signed in and their tokens, which can be ended. */
export function AccessDialog({ person, onClose, onDone }: AccessDialogProps) {
  const t = useTranslate();
  const load = useCallback((signal: AbortSignal) => loadAccess(person.id, signal), [person.id]);
  const loaded = useRequest(load);
  const { isBusy, problem, run } = useAction();
  const act = async (request: () => Promise<unknown>) => {
    if (!(await run(request))) return;
    loaded.retry();
    onDone();
  };
  const when = (seconds: number) => formatWhen(seconds, t.language);
  return (
    <Dialog title={t("people.access.of", { name: person.name })} onClose={onClose}>
      <Loaded loaded={loaded}>
        {({ sessions, tokens }) => (
          <div className="people-form">
            <section aria-label={t("people.sessions")}>
              <h3>{t("people.sessions")}</h3>
              {!sessions.length && <p className="soft">{t("people.sessions.none")}</p>}
              <ul className="people-access">
                {sessions.map(({ id, agent, address, used }) => (
                  <li key={id}>
                    <span>{agent || t("people.sessions.unknown")}</span>
                    <span className="soft small">
                      {[address, t("people.used", { when: when(used) })].filter(Boolean).join(" · ")}
                    </span>
                  </li>
                ))}
              </ul>
              {sessions.length > 0 && (
                <button
                  type="button"
                  className="button"
                  disabled={isBusy}
                  onClick={() => act(() => endSessions(person.id))}
                >
                  {t("people.sessions.end")}
                </button>
              )}
            </section>
            <section aria-label={t("people.tokens")}>
              <h3>{t("people.tokens")}</h3>
              {!tokens.length && <p className="soft">{t("people.tokens.none")}</p>}
              <ul className="people-access">
                {tokens.map(({ id, name, scopes, used }) => (
                  <li key={id}>
                    <span>{name}</span>
                    <span className="soft small">
                      {[
                        scopes.join(", "),
                        used === null ? t("people.used.never") : t("people.used", { when: when(used) }),
                      ].join(" · ")}
                    </span>
                    <button
                      type="button"
                      className="button"
                      disabled={isBusy}
                      aria-label={t("people.tokens.revoke", { name })}
                      onClick={() => act(() => revokeToken(person.id, id))}
                    >
                      {t("account.token.revoke")}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
            {problem && <ErrorMessage fault={problem} />}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
