import { useState } from "react";
import { useTranslate } from "../i18n";
import { formatCredits, formatMonth, formatShortMonth } from "../text/creditAmounts";
import type { Plot, Series } from "./monthlyUsage";

/** The width of a bar, as a share of its month. */
const BAR = 0.62;

/** Bars of used credits by month, stacked by person. The legend shows the values of the month that is pointed at. */
export function UsagePlot({ plot }: { plot: Plot }) {
  const t = useTranslate();
  const { months, series, totals, ticks, allowed, isAllowanceShown } = plot;
  const [chosen, choose] = useState(months.length - 1);
  const highest = ticks.at(-1) ?? 1;
  const month = months[chosen] ?? "";
  return (
    <figure className="people-plot">
      <div className="people-plot-area">
        <div className="people-plot-scale" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(100 * tick) / highest}%` }}>
              {formatCredits(tick, t.language)}
            </span>
          ))}
        </div>
        <div className="people-plot-bars">
          <svg
            viewBox={`0 0 ${months.length} ${highest}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t("people.usage.plot", { count: months.length })}
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                className="people-plot-line"
                x2={months.length}
                y1={highest - tick}
                y2={highest - tick}
              />
            ))}
            {months.map((each, index) => (
              <MonthBar key={each} series={series} index={index} highest={highest} isChosen={index === chosen} />
            ))}
            {isAllowanceShown && allowed !== null && (
              <line className="people-plot-allowed" x2={months.length} y1={highest - allowed} y2={highest - allowed} />
            )}
          </svg>
          {isAllowanceShown && allowed !== null && (
            <span className="people-plot-allowed-name" style={{ bottom: `${(100 * allowed) / highest}%` }}>
              {t("people.usage.allowed")}
            </span>
          )}
          <div className="people-plot-months">
            {months.map((each, index) => (
              <button
                key={each}
                type="button"
                aria-pressed={index === chosen}
                onClick={() => choose(index)}
                onFocus={() => choose(index)}
                onPointerEnter={(event) => event.pointerType === "mouse" && choose(index)}
              >
                <span aria-hidden="true">{formatShortMonth(each, t.language)}</span>
                <span className="hidden">
                  {t("people.usage.month", {
                    month: formatMonth(each, t.language),
                    credits: formatCredits(totals[index] ?? 0, t.language),
                  })}
                </span>
              </button>
            ))}
          </div>
        </div>
      </div>
      <figcaption>
        <h3>{formatMonth(month, t.language)}</h3>
        <ul className="people-legend">
          {series.map((each) => (
            <li key={each.id} data-none={!each.credits[chosen] || undefined}>
              <span className="people-tone" data-tone={each.tone} />
              <span className="people-legend-name">{each.name || t("people.usage.others")}</span>
              <span>{formatCredits(each.credits[chosen] ?? 0, t.language)}</span>
            </li>
          ))}
          <li className="people-legend-total">
            <span className="people-legend-name">{t("people.usage.total")}</span>
            <span>{formatCredits(totals[chosen] ?? 0, t.language)}</span>
          </li>
          {allowed !== null && (
            <li>
              <span className="people-tone" data-tone="allowed" />
              <span className="people-legend-name">{t("people.usage.allowed")}</span>
              <span>{formatCredits(allowed, t.language)}</span>
            </li>
          )}
        </ul>
        {allowed !== null && !isAllowanceShown && <p className="soft small">{t("people.usage.allowed.above")}</p>}
      </figcaption>
    </figure>
  );
}

interface MonthBarProps {
  series: Series[];
  index: number;
  highest: number;
  isChosen: boolean;
}

/** The bar of one month: a part for each person, the first at the bottom. */
function MonthBar({ series, index, highest, isChosen }: MonthBarProps) {
  let below = 0;
  return (
    <g className="people-plot-month" data-chosen={isChosen || undefined}>
      {series.map(({ id, tone, credits }) => {
        const amount = credits[index] ?? 0;
        below += amount;
        return amount > 0 ? (
          <rect
            key={id}
            className="people-tone"
            data-tone={tone}
            x={index + (1 - BAR) / 2}
            y={highest - below}
            width={BAR}
            height={amount}
          />
        ) : null;
      })}
    </g>
  );
}
