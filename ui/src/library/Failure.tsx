import { type FormEvent, useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import { Icon } from "../look/Icon";
import { said } from "../look/Trouble";
import { useWords } from "../words";
import { opened, retry } from "./acts";
import type { Document } from "./documents";

interface FailureProps {
  document: Document;
  code: string;
  message: string;
}

/** Why a document could not be read, what to do, and the way to try again, with its password where it needs one. */
export function Failure({ document, code, message: told }: FailureProps) {
  const say = useWords();
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isCancelled = code === "cancelled";
  const isLocked = code === "encrypted";
  const known = isCancelled
    ? say("library.cancelled")
    : isLocked && opened.has(document.id)
      ? say("library.password.wrong")
      : "";
  const { message, hint } =
    known && !problem ? { message: known, hint: "" } : said(say, problem ?? { code, message: told, hint: "" });

  const again = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await retry(document.id, password);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };

  const label = isCancelled ? say("library.goOn") : say("library.retry");
  return (
    <form className="failure small" onSubmit={again}>
      <p className={isCancelled ? "failure-text soft" : "failure-text failure-why"}>
        {!isCancelled && <Icon name="bad" size={16} />}
        <span>
          {message} {hint && <span className="soft">{hint}</span>}{" "}
          {!isLocked && (
            <button type="submit" className="plain" disabled={isBusy}>
              {label}
            </button>
          )}
        </span>
      </p>
      {isLocked && (
        <div className="failure-acts">
          <input
            className="field"
            type="password"
            autoComplete="off"
            aria-label={say("library.password")}
            placeholder={say("library.password")}
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
