import { useCallback, useState } from "react";
import { useTranslate } from "../i18n";
import { Choice, Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatCredits, formatMonth } from "../text/creditAmounts";
import { makePlot, type PeopleUsage } from "./monthlyUsage";
import { loadPeopleUsage } from "./peopleApi";
import { UsagePlot } from "./UsagePlot";

const PERIODS = ["3", "6", "12"] as const;

/** The used credits by person and month: a plot, and the same as a table. */
export function UsageTab() {
  const t = useTranslate();
  const [months, setMonths] = useState<(typeof PERIODS)[number]>("6");
  const load = useCallback((signal: AbortSignal) => loadPeopleUsage(Number(months), signal), [months]);
  const loaded = useRequest(load);
  return (
    <section className="people-usage" aria-labelledby="people-usage">
      <header className="people-head">
        <div>
          <h2 id="people-usage">{t("people.usage")}</h2>
          <p className="soft">{t("people.usage.about")}</p>
        </div>
        <Choice
          label={t("people.usage.period")}
          value={months}
          options={PERIODS.map((value) => ({ value, label: t("people.usage.months", { n: Number(value) }) }))}
          onChange={setMonths}
        />
      </header>
      <Loaded loaded={loaded}>
        {(loadedUsage) => {
          const usage = nameRemoved(loadedUsage, t("people.usage.removed"));
          const plot = makePlot(usage);
          if (!plot.series.length) return <p className="empty">{t("people.usage.none")}</p>;
          return (
            <>
              <UsagePlot key={usage.months.join()} plot={plot} />
              <UsageTable usage={usage} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Name those who were removed: their credits are kept without their names. */
function nameRemoved(usage: PeopleUsage, removed: string): PeopleUsage {
  return { ...usage, people: usage.people.map((each) => ({ ...each, name: each.name || removed })) };
}

/** The values of the plot as a table, with all people who used credits. */
function UsageTable({ usage: { months, people } }: { usage: PeopleUsage }) {
  const t = useTranslate();
  const shown = people.filter(({ credits }) => credits.some((each) => each > 0));
  return (
    <details className="people-table">
      <summary className="soft small">{t("people.usage.table")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <div className="people-table-scroll" tabIndex={0}>
        <table>
          <caption className="hidden">{t("people.usage.plot", { count: months.length })}</caption>
          <thead>
            <tr>
              <th scope="col">{t("people.usage.person")}</th>
              {months.map((each) => (
                <th key={each} scope="col">
                  {formatMonth(each, t.language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, name, credits }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                {months.map((each, index) => (
                  <td key={each}>{formatCredits(credits[index] ?? 0, t.language)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
