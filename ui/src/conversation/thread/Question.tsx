import { useState } from "react";
import { Icon } from "../../components/Icon";
import { useAutosize } from "../../components/useAutosize";
import { useTranslate } from "../../i18n";

const LONG = 300;

interface QuestionProps {
  text: string;
  later: number;
  isLocked: boolean;
  onAsk: (text: string) => void;
}

/** The question as a heading. It can be edited in place and asked again. */
export function Question({ text, later, isLocked, onAsk }: QuestionProps) {
  const t = useTranslate();
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null && !isLocked) {
    const ask = () => {
      if (!draft.trim()) return;
      setDraft(null);
      onAsk(draft.trim());
    };
    return <QuestionForm draft={draft} later={later} onChange={setDraft} onAsk={ask} onLeave={() => setDraft(null)} />;
  }
  return (
    <header className="question">
      <h2 data-long={text.length > LONG || undefined}>{text}</h2>
      {!isLocked && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("conversation.edit")}
          title={t("conversation.edit")}
          onClick={() => setDraft(text)}
        >
          <Icon name="edit" size={16} />
        </button>
      )}
    </header>
  );
}

interface QuestionFormProps {
  draft: string;
  later: number;
  onChange: (draft: string) => void;
  onAsk: () => void;
  onLeave: () => void;
}

function QuestionForm({ draft, later, onChange, onAsk, onLeave }: QuestionFormProps) {
  const t = useTranslate();
  const area = useAutosize(draft);
  return (
    <form
      className="question-edit"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      <textarea
        ref={area}
        className="field"
        rows={1}
        // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
        autoFocus
        aria-label={t("conversation.edit")}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onLeave();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onAsk();
        }}
      />
      <div className="question-buttons">
        <button type="submit" className="button main" disabled={!draft.trim()}>
          {later ? t.count("conversation.againDropping", later) : t("conversation.again")}
        </button>
        <button type="button" className="button" onClick={onLeave}>
          {t("conversation.leave")}
        </button>
      </div>
    </form>
  );
}
