import type { RefusedEdit } from "../../api/types";
import { Icon } from "../../components/Icon";
import { isMessageKey, type Translate, useTranslate } from "../../i18n";

/** The edits that do not fit their file, each with the reason and the nearest lines. */
export function RefusedEdits({ refused }: { refused: readonly RefusedEdit[] }) {
  const t = useTranslate();
  if (!refused.length) return null;
  return (
    <div className="refused-edits">
      <p>
        <Icon name="bad" size={16} /> {t.count("changes.refused", refused.length)}
      </p>
      <ul>
        {refused.map((edit) => (
          <li key={edit.number}>
            <p>
              {edit.path && <code>{edit.path}</code>} {describeRefusal(t, edit)}
            </p>
            {edit.nearest.length > 0 && <NearestLines lines={edit.nearest} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function NearestLines({ lines }: { lines: RefusedEdit["nearest"] }) {
  const t = useTranslate();
  return (
    <>
      <p className="soft">{t("changes.nearest")}</p>
      <pre>
        {lines.map(({ number, text }) => (
          <code key={number} data-number={number}>
            {text || " "}
          </code>
        ))}
      </pre>
    </>
  );
}

/** Describe why an edit is refused, in the user's language if the reason is known, else in the server's words. */
export function describeRefusal(
  t: Translate,
  { path, reason, message, hint, is_there_already: isThere }: RefusedEdit,
): string {
  if (isThere) return t("changes.isThere");
  const key = `errors.edit_refused.${reason}`;
  return isMessageKey(key) ? t(key, { message, path }) : [message, hint].filter(Boolean).join(" ");
}
