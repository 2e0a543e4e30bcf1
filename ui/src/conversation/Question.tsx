import { useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { useAutosize } from "./autosize";

const LONG = 300;

interface QuestionProps {
  text: string;
  later: number;
  isLocked: boolean;
  onAsk: (text: string) => void;
}

/** The question as a quiet heading; it can be changed in its place and asked again. */
export function Question({ text, later, isLocked, onAsk }: QuestionProps) {
  const say = useWords();
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null && !isLocked) {
    const ask = () => {
      if (!draft.trim()) return;
      setDraft(null);
      onAsk(draft.trim());
    };
    return <Edited draft={draft} later={later} onChange={setDraft} onAsk={ask} onLeave={() => setDraft(null)} />;
  }
  return (
    <header className="question">
      <h2 data-long={text.length > LONG || undefined}>{text}</h2>
      {!isLocked && (
        <button
          type="button"
          className="icon-button"
          aria-label={say("conversation.edit")}
          title={say("conversation.edit")}
          onClick={() => setDraft(text)}
        >
          <Icon name="edit" size={16} />
        </button>
      )}
    </header>
  );
}

interface EditedProps {
  draft: string;
  later: number;
  onChange: (draft: string) => void;
  onAsk: () => void;
  onLeave: () => void;
}

function Edited({ draft, later, onChange, onAsk, onLeave }: EditedProps) {
  const say = useWords();
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
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        aria-label={say("conversation.edit")}
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
          {later ? say.count("conversation.againDropping", later) : say("conversation.again")}
        </button>
        <button type="button" className="button" onClick={onLeave}>
          {say("conversation.leave")}
        </button>
      </div>
    </form>
  );
}
