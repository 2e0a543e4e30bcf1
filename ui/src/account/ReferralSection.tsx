import { type FormEvent, useState } from "react";
import { CopyField } from "../components/CopyField";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { Loaded, Section } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatCredits } from "../text/creditAmounts";
import { loadReferral, redeemCode } from "./usageApi";
import "./usage.css";

/** The person's referral code and link, how many have used it, and a field for the code of somebody else. */
export function ReferralSection({ hasLimit, onRedeemed }: { hasLimit: boolean; onRedeemed: () => void }) {
  const t = useTranslate();
  const loaded = useRequest(loadReferral);
  // Where nothing is limited, more credits are of no use, and there is no page on which others redeem a code.
  if (!hasLimit && !loaded.value?.url) return null;
  return (
    <Section title={t("limits.referral.title")}>
      <Loaded loaded={loaded}>
        {({ code, url, redeemed, limit, credits, is_maxed }) => (
          <div className="referral">
            <p>{t("limits.referral.credits", { credits: formatCredits(credits, t.language) })}</p>
            <CopyField label={t("limits.referral.code")} text={code} />
            {url && <CopyField label={t("limits.referral.copy")} text={url} />}
            <p className="soft small">
              {is_maxed ? t("limits.referral.maxed") : t("limits.referral.count", { n: redeemed, limit })}
            </p>
          </div>
        )}
      </Loaded>
      <RedeemForm onRedeemed={onRedeemed} />
    </Section>
  );
}

function RedeemForm({ onRedeemed }: { onRedeemed: () => void }) {
  const t = useTranslate();
  const [code, setCode] = useState("");
  const [credits, setCredits] = useState<number | null>(null);
  const { isBusy, problem, run } = useAction();
  const redeem = async (event: FormEvent) => {
    event.preventDefault();
    if (!code.trim()) return;
    if (!(await run(async () => setCredits(await redeemCode(code.trim()))))) return;
    setCode("");
    onRedeemed();
  };
  return (
    <div>
      <form className="referral-redeem" onSubmit={redeem}>
        <label htmlFor="referral-code">
          <span className="label">{t("limits.referral.given")}</span>
          <input
            id="referral-code"
            className="field"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={isBusy || !code.trim()}>
          {t("limits.referral.redeem")}
        </button>
      </form>
      {problem && <ErrorMessage fault={problem} />}
      <p role="status">
        {credits !== null && !problem && t("limits.referral.done", { credits: formatCredits(credits, t.language) })}
      </p>
    </div>
  );
}
