import { useTranslate } from "../i18n";
import type { DailyUsage } from "./dailyUsage";

const WIDTH = 560;
const HEIGHT = 96;
const GAP = 4;

/** A bar chart of tokens per day, input below output; of answers if no model counted tokens. */
export function UsageChart({ spent, name }: { spent: DailyUsage[]; name: (day: string) => string }) {
  const t = useTranslate();
  const counts = spent.some((each) => each.input + each.output > 0);
  const bars = spent.map((each) => ({
    day: each.day,
    low: counts ? each.input : each.answers,
    high: counts ? each.output : 0,
  }));
  const most = Math.max(1, ...bars.map((each) => each.low + each.high));
  const step = WIDTH / bars.length;
  const tall = (amount: number) => (amount / most) * HEIGHT;
  const label = counts ? t("settings.usage.plot", { most }) : t("settings.usage.plot.answers", { most });
  return (
    <figure className="usage-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 20}`} role="img" aria-label={label}>
        {bars.map(({ day, low, high }, index) => (
          <g key={day} transform={`translate(${index * step} 0)`}>
            <title>{`${name(day)}: ${(low + high).toLocaleString(t.language)}`}</title>
            <rect className="usage-hit" width={step} height={HEIGHT} />
            <rect className="usage-low" x={GAP / 2} y={HEIGHT - tall(low)} width={step - GAP} height={tall(low)} />
            <rect
              className="usage-high"
              x={GAP / 2}
              y={HEIGHT - tall(low + high)}
              width={step - GAP}
              height={tall(high)}
            />
          </g>
        ))}
        <line className="usage-ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <text x="0" y={HEIGHT + 16}>
          {name(spent[0]?.day ?? "")}
        </text>
        <text x={WIDTH} y={HEIGHT + 16} textAnchor="end">
          {name(spent.at(-1)?.day ?? "")}
        </text>
      </svg>
      <figcaption className="soft small">{label}</figcaption>
    </figure>
  );
}
