import { type FormEvent, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { useSelector } from "../state/useSelector";
import { passwordsGiven, retryDocument } from "./documentActions";
import type { Document } from "./documents";
import { useMayChange } from "./libraryAccess";

interface DocumentFailureProps {
  document: Document;
  code: string;
  message: string;
}

/** Why a document could not be read, with a button to try again and a password field if it needs one. */
export function DocumentFailure({ document, code, message: told }: DocumentFailureProps) {
  const t = useTranslate();
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isMine = useMayChange(document);
  const isCancelled = code === "cancelled";
  const isLocked = code === "encrypted";
  const wasPasswordGiven = useSelector(passwordsGiven, (given) => given.has(document.id));
  const isForgotten = isLocked && document.status === "ready";
  const known = isCancelled
    ? t("library.cancelled")
    : isLocked && wasPasswordGiven
      ? t("library.password.wrong")
      : isForgotten
        ? t("library.password.again")
        : "";
  const { message, hint } =
    known && !problem ? { message: known, hint: "" } : describeError(t, problem ?? { code, message: told, hint: "" });

  const again = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await retryDocument(document.id, password);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };

  const label = isCancelled ? t("library.goOn") : t("library.retry");
  return (
    <form className="failure small" onSubmit={again}>
      <p className={isCancelled ? "failure-text soft" : "failure-text failure-why"}>
        {!isCancelled && <Icon name="bad" size={16} />}
        <span>
          {message} {hint && <span className="soft">{hint}</span>}{" "}
          {!isLocked && isMine && (
            <button type="submit" className="plain" disabled={isBusy}>
              {label}
            </button>
          )}
        </span>
      </p>
      {isLocked && isMine && (
        <div className="failure-acts">
          <input
            className="field"
            type="password"
            autoComplete="off"
            aria-label={t("library.password")}
            placeholder={t("library.password")}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <button type="submit" className="button" disabled={isBusy || !password}>
            {label}
          </button>
        </div>
      )}
    </form>
  );
}
