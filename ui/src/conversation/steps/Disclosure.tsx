import { type ReactNode, useState } from "react";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import type { Tool } from "../turns";

const MAX_ERROR = 300;

/** A line that shows or hides its content. */
export function Disclosure({ label, children }: { label: ReactNode; children: ReactNode }) {
  const [isOpen, set] = useState(false);
  return (
    <div className="fold" data-open={isOpen || undefined}>
      <button type="button" className="fold-button" aria-expanded={isOpen} onClick={() => set(!isOpen)}>
        <Icon name="forward" size={14} />
        {label}
      </button>
      {isOpen && <div className="fold-inside">{children}</div>}
    </div>
  );
}

/** The status of a step, as an icon with a label. */
export function StepStatus({ status }: { status: Tool["status"] }) {
  const t = useTranslate();
  if (status === "running") return <span className="spinner" role="img" aria-label={t("conversation.stepRunning")} />;
  const isDone = status === "success";
  return (
    <span
      className="step-status"
      data-is={status}
      role="img"
      aria-label={t(isDone ? "conversation.stepDone" : "conversation.stepFailed")}
    >
      <Icon name={isDone ? "check" : "cross"} size={16} />
    </span>
  );
}

/** Why a step failed, shortened. */
export function StepError({ error }: { error: string }) {
  const t = useTranslate();
  const told = error.length > MAX_ERROR ? `${error.slice(0, MAX_ERROR)}…` : error;
  return <span className="step-error">{told || t("conversation.stepBroken")}</span>;
}
