import { useRef } from "react";
import { useWords } from "../words";

const PULLED = 48;

/** On a phone, what the sheet is held by: the quote stands on it; a press or a pull down closes the sheet. */
export function Handle({ quote, onClose }: { quote: string; onClose: () => void }) {
  const say = useWords();
  const from = useRef<number | null>(null);
  return (
    <button
      type="button"
      className="viewer-handle"
      onClick={onClose}
      onPointerDown={(event) => {
        from.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (from.current === null || event.clientY - from.current < PULLED) return;
        from.current = null;
        onClose();
      }}
      onPointerUp={() => {
        from.current = null;
      }}
    >
      <span className="viewer-handle-bar" aria-hidden="true" />
      <span className="hidden">{say("viewer.close")}</span>
      {quote && <span className="viewer-handle-quote">{say("viewer.quote", { quote })}</span>}
    </button>
  );
}
