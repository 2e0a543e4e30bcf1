import { useTranslate } from "../i18n";
import { formatCredits } from "../text/creditAmounts";
import "./creditBar.css";

/** The credits of this month as a small bar against the allowance. Without one there is no bar. */
export function CreditBar({ spent, allowed }: { spent: number; allowed: number | null }) {
  const t = useTranslate();
  const used = formatCredits(spent, t.language);
  if (allowed === null) {
    return (
      <span className="credits">
        <span className="small">{t("people.credits.unlimited", { used })}</span>
      </span>
    );
  }
  const label = t("people.credits", { used, allowed: formatCredits(allowed, t.language) });
  const share = allowed > 0 ? Math.min(1, spent / allowed) : 1;
  return (
    <span className="credits">
      <span className="small">{label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers do not let a <meter> be drawn alike */}
      <span
        className="credits-bar"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * share)}
        data-level={share >= 1 ? "full" : share >= 0.75 ? "high" : undefined}
      >
        <span style={{ width: `${100 * share}%` }} />
      </span>
    </span>
  );
}
