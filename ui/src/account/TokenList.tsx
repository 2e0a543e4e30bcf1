import { useState } from "react";
import { toProblem } from "../api/problem";
import { Dialog } from "../components/Dialog";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { Loaded, Section } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { loadTokens, type MadeToken, revokeToken, type Token } from "./accountApi";
import { NewTokenSecret } from "./NewTokenSecret";
import { SCOPE_WORDS } from "./roleWords";
import { TokenForm } from "./TokenForm";

/** The tokens with which the person's programs sign in. */
export function TokenList() {
  const t = useTranslate();
  const loaded = useRequest(loadTokens);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const [revoked, setRevoked] = useState<Token | null>(null);

  const revoke = async ({ id, name }: Token) => {
    setRevoked(null);
    try {
      await revokeToken(id);
      if (made?.token.id === id) setMade(null);
      showToast(t("account.token.revoked", { name }));
    } catch (error) {
      const { message, hint } = describeError(t, toProblem(error));
      showToast(`${message} ${hint}`.trim());
    }
    loaded.retry();
  };

  return (
    <Section title={t("account.tokens")} about={t("account.tokens.about")}>
      {made && <NewTokenSecret made={made} onDone={() => setMade(null)} />}
      <Loaded loaded={loaded}>
        {(tokens) => (
          <>
            {tokens.length > 0 ? (
              <ul className="account-list" aria-label={t("account.tokens")}>
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
                ))}
              </ul>
            ) : (
              <p className="soft">{t("account.tokens.none")}</p>
            )}
            <button type="button" className="button" onClick={() => setMaking(true)}>
              <Icon name="add" size={16} />
              {t("account.token.make")}
            </button>
          </>
        )}
      </Loaded>
      {isMaking && (
        <TokenForm
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            loaded.retry();
          }}
        />
      )}
      {revoked && (
        <Dialog title={t("account.token.revoke.title", { name: revoked.name })} onClose={() => setRevoked(null)}>
          <p>{t("account.token.revoke.about")}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setRevoked(null)}>
              {t("account.cancel")}
            </button>
            <button type="button" className="button danger" onClick={() => void revoke(revoked)}>
              {t("account.token.revoke")}
            </button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const t = useTranslate();
  const { name, start, scopes, expires, used } = token;
  const isExpired = expires !== null && expires * 1000 <= Date.now();
  return (
    <li>
      <div className="account-row-text">
        <p className="account-row-name">
          <span>{name}</span>
          <code className="soft small">{start}…</code>
          {isExpired && <span className="badge">{t("account.token.expired")}</span>}
        </p>
        <p className="soft small">
          <span>{scopes.map((scope) => t(SCOPE_WORDS[scope])).join(" · ")}</span>
        </p>
        <p className="soft small">
          <span>
            {expires === null
              ? t("account.token.forever")
              : t("account.token.until", { time: formatMoment(expires, t.language) })}
          </span>
          <span>
            {used === null
              ? t("account.token.unused")
              : t("account.token.used", { time: formatWhen(used, t.language) })}
          </span>
        </p>
      </div>
      <button type="button" className="button" aria-label={t("account.token.revoke.name", { name })} onClick={onRevoke}>
        {t("account.token.revoke")}
      </button>
    </li>
  );
}
