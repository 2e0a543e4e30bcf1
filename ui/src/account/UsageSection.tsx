import { CreditBar } from "../components/CreditBar";
import { useTranslate } from "../i18n";
import { Loaded, Section } from "../settings/Section";
import type { Request } from "../settings/useRequest";
import { formatCredits, formatIsoDay } from "../text/creditAmounts";
import { MonthBars } from "./MonthBars";
import type { Credits } from "./usageApi";
import "./usage.css";

/** The name under which requests to the web are counted. */
const WEB = "web";

/** The credits of the person: this month with its limit, what they were used for, and the last months. */
export function UsageSection({ loaded }: { loaded: Request<Credits> }) {
  const t = useTranslate();
  const show = (credits: number) => formatCredits(credits, t.language);
  return (
    <Section title={t("limits.usage")} about={t("limits.usage.about")}>
      <Loaded loaded={loaded}>
        {({ quota, months }) => {
          const { used, limit, left, bonus, reserved, resets, limit_reached, models } = quota;
          const day = formatIsoDay(resets, t.language);
          const facts = [
            limit_reached ? t("limits.usage.over", { day }) : "",
            !limit_reached && left !== null ? t("limits.usage.left", { credits: show(left), day }) : "",
            bonus > 0 ? t("limits.usage.bonus", { credits: show(bonus) }) : "",
            reserved > 0 ? t("limits.usage.reserved", { credits: show(reserved) }) : "",
          ];
          return (
            <>
              <div className="usage-month">
                <h3>{t("limits.usage.month")}</h3>
                <CreditBar spent={used} allowed={limit} />
                <p className="soft small">{facts.filter(Boolean).join(" ")}</p>
              </div>
              {models.length > 0 && (
                <table className="usage-models">
                  <caption>{t("limits.usage.models")}</caption>
                  <tbody>
                    {models.map(({ model, credits }) => (
                      <tr key={model}>
                        <th scope="row">{model === WEB ? t("limits.usage.web") : model}</th>
                        <td>{show(credits)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
              {months.some((each) => each.used > 0) && <MonthBars months={months} />}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
