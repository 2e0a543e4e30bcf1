import { useState } from "react";
import { CopyField } from "../components/CopyField";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { formatMoment } from "../text/formatAmounts";
import { type MadeLink, makeResetLink, type Person } from "./peopleApi";

/** A dialog that makes a link with which a person sets a new password. */
export function ResetDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTranslate();
  const [link, setLink] = useState<MadeLink | null>(null);
  const { isBusy, problem, run } = useAction();
  const make = () => run(async () => setLink(await makeResetLink(person.id)));
  return (
    <Dialog title={t("people.reset.of", { name: person.name })} onClose={onClose}>
      <div className="people-form">
        <p>{t("people.reset.about", { name: person.name })}</p>
        {link && (
          <>
            <CopyField label={t("people.reset.link")} text={link.url} />
            <p className="soft small">{t("people.link.once", { when: formatMoment(link.expires, t.language) })}</p>
          </>
        )}
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t(link ? "shell.close" : "settings.cancel")}
          </button>
          {!link && (
            <button type="button" className="button main" disabled={isBusy} onClick={make}>
              {t("people.reset.make")}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
