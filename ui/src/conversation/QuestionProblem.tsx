import { Link } from "wouter";
import type { Problem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { QuotaMessage } from "../limits/QuotaMessage";
import { RateLimitMessage } from "../limits/RateLimitMessage";

/** Why a question was not accepted, and what to do about it. The question stays in its field. */
export function QuestionProblem({ problem, onAgain }: { problem: Problem; onAgain: () => void }) {
  const t = useTranslate();
  if (problem.code === "quota") return <QuotaMessage problem={problem} />;
  if (problem.code === "rate_limited") return <RateLimitMessage problem={problem} onAgain={onAgain} />;
  return (
    <ErrorMessage fault={problem}>
      {problem.reason === "no_search_engine" && (
        <Link to="/settings" className="button main">
          {t("conversation.focus.settings")}
        </Link>
      )}
      <button type="button" className="button" onClick={onAgain}>
        {t("conversation.again")}
      </button>
    </ErrorMessage>
  );
}
