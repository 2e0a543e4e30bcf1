import { useEffect, useId, useRef } from "react";
import { useTranslate } from "../i18n";
import { copyText } from "../text/clipboard";
import type { MadeToken } from "./accountApi";

/** The secret of a token that was just made. It is shown this once. */
export function NewTokenSecret({ made, onDone }: { made: MadeToken; onDone: () => void }) {
  const t = useTranslate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <section className="token-secret" aria-labelledby={`${id}title`}>
      <p id={`${id}title`} className="label">
        {t("account.token.made", { name: made.token.name })}
      </p>
      <p id={`${id}about`} className="soft small">
        {t("account.token.once")}
      </p>
      <div className="with-button">
        <input
          ref={field}
          className="field token-text"
          readOnly
          spellCheck={false}
          aria-label={t("account.token.secret")}
          aria-describedby={`${id}about`}
          value={made.secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" className="button main" onClick={() => void copyText(made.secret, t)}>
          {t("account.token.copy")}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {t("account.token.done")}
        </button>
      </div>
      <p className="soft small">{t("account.token.use")}</p>
      <pre className="token-example">
        <code>{`Authorization: Bearer ${made.token.start}…`}</code>
      </pre>
    </section>
  );
}
