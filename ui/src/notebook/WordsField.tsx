import { useState } from "react";
import { useAutosize } from "../components/useAutosize";
import { useTranslate } from "../i18n";

interface WordsFieldProps {
  label: string;
  words: string;
  mayBeEmpty?: boolean;
  onSave: (words: string) => void;
  onLeave: () => void;
}

/** A field for a comment or for own words. Ctrl+Enter saves them, Escape leaves them as they were. */
export function WordsField({ label, words, mayBeEmpty = false, onSave, onLeave }: WordsFieldProps) {
  const t = useTranslate();
  const [given, setGiven] = useState(words);
  const area = useAutosize(given);
  const canSave = mayBeEmpty || given.trim() !== "";
  const save = () => canSave && onSave(given.trim());
  return (
    <form
      className="words-field"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={area}
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
        autoFocus
        rows={2}
        maxLength={20_000}
        aria-label={label}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            onLeave();
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div className="words-acts">
        <button type="button" className="button" onClick={onLeave}>
          {t("notebook.leave")}
        </button>
        <button type="submit" className="button main" disabled={!canSave}>
          {t("notebook.save")}
        </button>
      </div>
    </form>
  );
}
