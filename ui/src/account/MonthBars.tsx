import { useTranslate } from "../i18n";
import { formatCredits, formatMonth } from "../text/creditAmounts";

/** The credits of the last months: a line with a bar and its value for each. */
export function MonthBars({ months }: { months: readonly { month: string; used: number }[] }) {
  const t = useTranslate();
  const most = Math.max(1, ...months.map(({ used }) => used));
  return (
    <table className="month-bars">
      <caption>{t("limits.usage.months")}</caption>
      <tbody>
        {months.map(({ month, used }) => (
          <tr key={month}>
            <th scope="row">{formatMonth(month, t.language)}</th>
            <td aria-hidden="true">
              <span className="month-bar" style={{ width: `${(100 * used) / most}%` }} />
            </td>
            <td>{formatCredits(used, t.language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
