import { useEffect } from "react";
import { Link } from "wouter";
import { Icon } from "../components/Icon";
import { conversationStore } from "../conversation/conversationStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { formatIsoDay } from "../text/creditAmounts";
import { quotaWarningStore } from "./quotaWarnings";
import "./limits.css";

/** A quiet line above the question field when an answer has passed 25, 50 or 75 % of the month's credits. */
export function QuotaNotice() {
  const t = useTranslate();
  const warning = useStore(quotaWarningStore);
  useEffect(
    () =>
      conversationStore.onEvent((event, isLive) => {
        if (isLive && event.type === "quota_warning") quotaWarningStore.set(event.data);
      }),
    [],
  );
  return (
    <div role="status">
      {warning && (
        <p className="quota-notice">
          <Icon name="info" size={16} />
          <span>
            {t(warning.scope === "server" ? "limits.warning.server" : "limits.warning.person", {
              percent: warning.percent,
              day: formatIsoDay(warning.resets, t.language),
            })}
          </span>
          <Link to={warning.scope === "server" ? "/people?tab=usage" : "/account"}>{t("limits.warning.show")}</Link>
          <button
            type="button"
            className="icon-button small-button"
            aria-label={t("shell.close")}
            onClick={() => quotaWarningStore.set(null)}
          >
            <Icon name="close" size={14} />
          </button>
        </p>
      )}
    </div>
  );
}
