import { useTranslate } from "../i18n";
import { chooseLocale } from "../text/formatAmounts";
import { listDailyUsage } from "./dailyUsage";
import { Loaded, Section } from "./Section";
import { loadUsage } from "./settingsApi";
import { UsageChart } from "./UsageChart";
import { useRequest } from "./useRequest";

const DAYS = 30;

/** The usage of the last thirty days: a chart, the totals and a table. */
export function UsageSection() {
  const t = useTranslate();
  const loaded = useRequest(loadUsage);
  const day = new Intl.DateTimeFormat(chooseLocale(t.language), { day: "numeric", month: "short", timeZone: "UTC" });
  return (
    <Section title={t("settings.usage")} about={t("settings.usage.about")}>
      <Loaded loaded={loaded}>
        {(used) => {
          const { totals } = used;
          const spent = listDailyUsage(used, DAYS);
          const busy = spent.filter((each) => each.answers || each.input || each.output).reverse();
          if (!busy.length) return <p className="soft">{t("settings.usage.none")}</p>;
          return (
            <>
              <UsageChart spent={spent} name={(iso) => day.format(new Date(iso))} />
              <dl className="totals">
                {[
                  [t("settings.usage.answers"), totals.answers],
                  [t("settings.usage.requests"), totals.requests],
                  [t("settings.usage.input"), totals.input_tokens],
                  [t("settings.usage.output"), totals.output_tokens],
                ].map(([label, amount]) => (
                  <div key={label}>
                    <dt className="soft small">{label}</dt>
                    <dd>{amount?.toLocaleString(t.language)}</dd>
                  </div>
                ))}
              </dl>
              <details className="usage-table">
                <summary className="soft small">{t("settings.usage.table")}</summary>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t("settings.usage.day")}</th>
                      <th scope="col">{t("settings.usage.answers")}</th>
                      <th scope="col">{t("settings.usage.input")}</th>
                      <th scope="col">{t("settings.usage.output")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {busy.map((each) => (
                      <tr key={each.day}>
                        <th scope="row">{day.format(new Date(each.day))}</th>
                        <td>{each.answers.toLocaleString(t.language)}</td>
                        <td>{each.input.toLocaleString(t.language)}</td>
                        <td>{each.output.toLocaleString(t.language)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </details>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
