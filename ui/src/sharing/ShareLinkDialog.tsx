import { type FormEvent, useCallback, useId, useState } from "react";
import { CopyField } from "../components/CopyField";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { formatMoment, formatWhen } from "../text/formatAmounts";
import { loadLinks, makeLink, removeLink } from "./sharingApi";
import "./sharing.css";

const DAYS = [1, 7, 30, 90] as const;
const NO_END = "";

/** A dialog that makes links to a conversation, lists them and takes them back. */
export function ShareLinkDialog({ conversation, onClose }: { conversation: string; onClose: () => void }) {
  const t = useTranslate();
  const id = useId();
  const load = useCallback((signal: AbortSignal) => loadLinks(conversation, signal), [conversation]);
  const loaded = useRequest(load);
  const { isBusy, problem, run } = useAction();
  const [days, setDays] = useState("7");
  const [made, setMade] = useState<{ url: string; id: string } | null>(null);

  const make = async (event: FormEvent) => {
    event.preventDefault();
    const isMade = await run(async () => {
      const { url, link } = await makeLink(conversation, days === NO_END ? null : Number(days));
      setMade({ url, id: link.id });
    });
    if (isMade) loaded.retry();
  };
  const takeBack = async (link: string) => {
    if (!(await run(() => removeLink(conversation, link)))) return;
    if (made?.id === link) setMade(null);
    loaded.retry();
  };

  return (
    <Dialog title={t("sharing.link")} className="dialog sharing" onClose={onClose}>
      <p>{t("sharing.link.about")}</p>
      <form className="share-form" onSubmit={make}>
        <label htmlFor={id}>
          <span className="label">{t("sharing.link.days")}</span>
          <select id={id} className="field" value={days} onChange={({ target }) => setDays(target.value)}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t.count("sharing.days", each)}
              </option>
            ))}
            <option value={NO_END}>{t("sharing.days.none")}</option>
          </select>
        </label>
        <button type="submit" className="button main" disabled={isBusy}>
          <Icon name="link" size={16} />
          {t("sharing.link.make")}
        </button>
      </form>
      <div role="status">
        {made && (
          <div className="share-made">
            <CopyField label={t("sharing.link.new")} text={made.url} />
            <p className="soft small">{t("sharing.link.once")}</p>
          </div>
        )}
      </div>
      {problem && <ErrorMessage fault={problem} />}
      <section aria-label={t("sharing.links")}>
        <h3>{t("sharing.links")}</h3>
        <Loaded loaded={loaded}>
          {(links) =>
            links.length ? (
              <ul className="shares">
                {links.map(({ id, created, expires }) => {
                  const when = formatWhen(created, t.language);
                  return (
                    <li key={id}>
                      <Icon name="link" size={16} />
                      <span className="share-name">
                        {t("sharing.link.made", { when })}
                        <span className="soft small">
                          {expires === null
                            ? t("sharing.link.endless")
                            : t("sharing.link.until", { when: formatMoment(expires, t.language) })}
                        </span>
                      </span>
                      <button
                        type="button"
                        className="button"
                        disabled={isBusy}
                        aria-label={t("sharing.link.takeBack", { when })}
                        onClick={() => takeBack(id)}
                      >
                        {t("sharing.takeBack")}
                      </button>
                    </li>
                  );
                })}
              </ul>
            ) : (
              <p className="soft">{t("sharing.links.none")}</p>
            )
          }
        </Loaded>
      </section>
    </Dialog>
  );
}
