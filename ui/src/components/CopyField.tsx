import { useTranslate } from "../i18n";
import { copyText } from "../text/clipboard";
import { Icon } from "./Icon";
import "./copyField.css";

/** A text that is made to be copied, such as a link, with a button that copies it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const t = useTranslate();
  return (
    <div className="copy-field">
      <input
        className="field"
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" className="button" onClick={() => void copyText(text, t)}>
        <Icon name="copy" size={16} />
        {t("shell.copy")}
      </button>
    </div>
  );
}
