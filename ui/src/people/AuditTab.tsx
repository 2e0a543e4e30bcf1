import { useEffect, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { useRequest } from "../settings/useRequest";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { describeTarget, nameAction } from "./auditActions";
import { type AuditEntry, loadAudit, loadDirectory } from "./peopleApi";

const PAGE_SIZE = 50;

/** The audit log: who did what to whose, when and from where. */
export function AuditTab() {
  const t = useTranslate();
  const people = useRequest(loadDirectory);
  const [person, setPerson] = useState("");
  const { entries, more, isBusy, problem, loadOlder } = useAudit(person);
  const exported = person ? `?${new URLSearchParams({ person })}` : "";
  return (
    <section aria-labelledby="people-audit">
      <header className="people-head">
        <div>
          <h2 id="people-audit">{t("people.audit")}</h2>
          <p className="soft">{t("people.audit.about")}</p>
        </div>
        <select
          className="field"
          aria-label={t("people.audit.person")}
          value={person}
          onChange={({ target }) => setPerson(target.value)}
        >
          <option value="">{t("people.audit.everybody")}</option>
          {people.value?.people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <a className="button" href={`/api/audit/export${exported}`} download>
          <Icon name="export" size={16} />
          {t("people.audit.export")}
        </a>
      </header>
      {entries && !entries.length && !problem && <p className="empty">{t("people.audit.none")}</p>}
      {entries && entries.length > 0 && (
        <ul className="audit" aria-label={t("people.audit")}>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {problem && <ErrorMessage fault={problem} />}
      {!entries && !problem && (
        <div
          className="skeleton"
          role="status"
          aria-label={t("settings.loading")}
          style={{ height: "var(--space-80)" }}
        />
      )}
      {(more || problem) && (
        <button type="button" className="button on-sight" disabled={isBusy} onClick={loadOlder}>
          {isBusy && <span className="spinner" />}
          {t(problem ? "settings.again" : "people.audit.older")}
        </button>
      )}
    </section>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const t = useTranslate();
  const { time, actor, actor_name, address, action } = entry;
  const target = describeTarget(t, entry);
  return (
    <li data-action={action}>
      <time
        className="soft small"
        dateTime={new Date(time * 1000).toISOString()}
        title={formatMoment(time, t.language)}
      >
        {formatWhen(time, t.language)}
      </time>
      <span className="audit-actor">
        {actor_name ||
          t(actor ? "people.audit.removed" : address === "terminal" ? "people.audit.terminal" : "people.audit.nobody")}
      </span>
      <span className="audit-action">
        {nameAction(t, action)}
        {target && <span className="soft"> · {target}</span>}
      </span>
      <span className="audit-address soft small">{address !== "terminal" && address}</span>
    </li>
  );
}

interface Audit {
  entries: AuditEntry[] | null;
  more: boolean;
  isBusy: boolean;
  problem: Problem | null;
  loadOlder: () => void;
}

/** Load the entries of a person, or of everybody for "", page by page. */
function useAudit(person: string): Audit {
  const [entries, setEntries] = useState<AuditEntry[] | null>(null);
  const [more, setMore] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [request, setRequest] = useState<{ person: string; before: number | null } | null>(null);

  useEffect(() => {
    setEntries(null);
    setRequest({ person, before: null });
  }, [person]);

  useEffect(() => {
    if (!request) return;
    const line = new AbortController();
    const { person, before } = request;
    const query = { limit: PAGE_SIZE, ...(person && { person }), ...(before !== null && { before }) };
    setProblem(null);
    loadAudit(query, line.signal).then(
      (page) => {
        setEntries((now) => (before === null ? page.entries : [...(now ?? []), ...page.entries]));
        setMore(page.more);
        setRequest(null);
      },
      (error: unknown) => {
        if (line.signal.aborted) return;
        setProblem(toProblem(error));
        setRequest(null);
      },
    );
    return () => line.abort();
  }, [request]);

  const loadOlder = () => setRequest({ person, before: entries?.at(-1)?.id ?? null });
  return { entries, more, isBusy: request !== null, problem, loadOlder };
}
