import { useRequest } from "../settings/useRequest";
import { ReferralSection } from "./ReferralSection";
import { UsageSection } from "./UsageSection";
import { loadCredits } from "./usageApi";

/** The credits of the person, and their referrals; guests have none. */
export function CreditSections({ isGuest }: { isGuest: boolean }) {
  const loaded = useRequest(loadCredits);
  const limit = loaded.value?.quota.limit ?? null;
  return (
    <>
      <UsageSection loaded={loaded} />
      {!isGuest && <ReferralSection hasLimit={limit !== null} onRedeemed={loaded.retry} />}
    </>
  );
}
