import { useCountdown } from "../account/useCountdown";
import type { Problem } from "../api/problem";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { formatDuration } from "../text/formatAmounts";

/** Tells that there were too many questions in a short time, and counts down until the next one may be asked. */
export function RateLimitMessage({ problem, onAgain }: { problem: Problem; onAgain: () => void }) {
  const t = useTranslate();
  const seconds = Number(problem.params.seconds ?? 0);
  const left = useCountdown(seconds, problem);
  return (
    <div className="trouble" role="alert">
      <Icon name="bad" />
      <div>
        {/* A screen reader hears the beginning and the end of the countdown, not each second of it. */}
        <p aria-hidden={left > 0}>
          {left > 0 ? t("limits.rate", { time: formatDuration(left, t.language) }) : t("limits.rate.over")}
        </p>
        {left > 0 && <p className="hidden">{t("limits.rate", { time: formatDuration(seconds, t.language) })}</p>}
        <p className="soft">{t("limits.kept")}</p>
        <button type="button" className="button" disabled={left > 0} onClick={onAgain}>
          {t("conversation.again")}
        </button>
      </div>
    </div>
  );
}
