import { Link } from "wouter";
import type { Problem } from "../api/problem";
import { CopyField } from "../components/CopyField";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { formatCredits, formatIsoDay } from "../text/creditAmounts";
import "./limits.css";

/** The parameters of the error `quota`; docs/quotas.md lists them. */
interface QuotaParams {
  scope?: string;
  limit?: number;
  used?: number;
  resets?: string;
  pricing_url?: string;
  sign_in?: number;
  referral_url?: string;
  support_email?: string;
}

/** Tells that the monthly limit was reached, when credits are renewed, and all that the person can do about it. */
export function QuotaMessage({ problem }: { problem: Problem }) {
  const t = useTranslate();
  const params = problem.params as QuotaParams;
  const { limit, used, resets, pricing_url, sign_in, referral_url, support_email } = params;
  const isServer = params.scope === "server";
  const isTight = !isServer && limit !== undefined && used !== undefined && used < limit;
  const facts = [
    !isServer && limit !== undefined && used !== undefined
      ? t("limits.used", { used: formatCredits(used, t.language), limit: formatCredits(limit, t.language) })
      : "",
    isTight ? t("limits.tight") : "",
    resets ? t("limits.renewed", { day: formatIsoDay(resets, t.language) }) : "",
    isServer ? t("limits.server.hint") : "",
    sign_in ? t("limits.guest") : "",
  ];
  return (
    <div className="trouble quota-message" role="alert">
      <Icon name="bad" />
      <div>
        <p>
          <strong>{t(isServer ? "limits.server" : "limits.title")}</strong>
        </p>
        <p className="soft">{facts.filter(Boolean).join(" ")}</p>
        {(pricing_url || sign_in) && (
          <div>
            {pricing_url && (
              <a className="button main" href={pricing_url} target="_blank" rel="noreferrer">
                {t("limits.pricing")}
                <Icon name="open" size={14} />
              </a>
            )}
            {sign_in ? (
              <Link to="/sign-in" className="button main">
                {t("limits.guest.signIn")}
              </Link>
            ) : null}
          </div>
        )}
        {referral_url && (
          <div className="quota-referral">
            <p>{t("limits.referral")}</p>
            <CopyField label={t("limits.referral.copy")} text={referral_url} />
          </div>
        )}
        {support_email && <SupportLine address={support_email} />}
        <p className="soft">{t("limits.kept")}</p>
      </div>
    </div>
  );
}

/** The address for questions about credits. */
function SupportLine({ address }: { address: string }) {
  const t = useTranslate();
  const [before = "", after = ""] = t("limits.support", { address: "\n" }).split("\n");
  return (
    <p className="soft">
      {before}
      <a href={`mailto:${address}`}>{address}</a>
      {after}
    </p>
  );
}
