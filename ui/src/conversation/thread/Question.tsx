import { type ReactNode, useState } from "react";
import { Icon } from "../../components/Icon";
import { useAutosize } from "../../components/useAutosize";
import { useTranslate } from "../../i18n";

const LONG = 300;
/** A longer question is folded. */
const FOLDED = 1200;
const MAX_LINES = 12;

interface QuestionProps {
  text: string;
  later: number;
  isLocked: boolean;
  onAsk: (text: string) => void;
  /** Beside the question, such as the switch between its versions. */
  children?: ReactNode;
}

/** The question as a heading. A long one is folded. It can be edited in place and asked again. */
export function Question({ text, later, isLocked, onAsk, children }: QuestionProps) {
  const t = useTranslate();
  const [draft, setDraft] = useState<string | null>(null);
  const [isWhole, showWhole] = useState(false);
  if (draft !== null && !isLocked) {
    const ask = () => {
      if (!draft.trim()) return;
      setDraft(null);
      onAsk(draft.trim());
    };
    return (
      <QuestionForm
        question={text}
        draft={draft}
        later={later}
        onChange={setDraft}
        onAsk={ask}
        onLeave={() => setDraft(null)}
      />
    );
  }
  const isFoldable = text.length > FOLDED || text.split("\n", MAX_LINES + 1).length > MAX_LINES;
  return (
    <header className="question">
      <div className="question-words">
        <h2 data-long={text.length > LONG || undefined} data-folded={(isFoldable && !isWhole) || undefined}>
          {text}
        </h2>
        {isFoldable && (
          <button type="button" className="question-fold" aria-expanded={isWhole} onClick={() => showWhole(!isWhole)}>
            {t(isWhole ? "conversation.question.fold" : "conversation.question.whole")}
          </button>
        )}
      </div>
      {children}
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
  /** The question as it was asked. It stays the heading of the answer below. */
  question: string;
  draft: string;
  later: number;
  onChange: (draft: string) => void;
  onAsk: () => void;
  onLeave: () => void;
}

function QuestionForm({ question, draft, later, onChange, onAsk, onLeave }: QuestionFormProps) {
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
      <h2 className="hidden">{question}</h2>
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
