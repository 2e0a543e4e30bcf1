import { useEffect, useRef, useState } from "react";
import { useAutosize } from "../components/useAutosize";
import { useTranslate } from "../i18n";

interface WordsFieldProps {
  label: string;
  words: string;
  mayBeEmpty?: boolean;
  onSave: (words: string) => void;
  onLeave: () => void;
}

/**
 * A field for a comment or for own words. Ctrl+Enter saves them. Escape and a field that disappears save what was
 * written too; only the button leaves the words as they were.
 */
export function WordsField({ label, words, mayBeEmpty = false, onSave, onLeave }: WordsFieldProps) {
  const t = useTranslate();
  const [given, setGiven] = useState(words);
  const area = useAutosize(given);
  const canSave = mayBeEmpty || given.trim() !== "";
  const isOver = useRef(false);
  const save = () => {
    if (!canSave) return;
    isOver.current = true;
    onSave(given.trim());
  };
  const discard = () => {
    isOver.current = true;
    onLeave();
  };
  const leave = () => {
    const written = given.trim();
    if (written && written !== words.trim()) save();
    else discard();
  };
  useUnmount(() => !isOver.current && leave());
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
            leave();
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div className="words-acts">
        <button type="button" className="button" onClick={discard}>
          {t("notebook.leave")}
        </button>
        <button type="submit" className="button main" disabled={!canSave}>
          {t("notebook.save")}
        </button>
      </div>
    </form>
  );
}

/** Call the function when the component is gone, and not when React mounts it a second time to try it. */
function useUnmount(call: () => void): void {
  const last = useRef(call);
  const isMounted = useRef(false);
  useEffect(() => {
    last.current = call;
  });
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      queueMicrotask(() => !isMounted.current && last.current());
    };
  }, []);
}
