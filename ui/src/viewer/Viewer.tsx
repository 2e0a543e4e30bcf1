import { choose, close, desk, open, step } from "../desk";
import { useStore } from "../store";
import { useWords } from "../words";
import { Handle } from "./Handle";
import { Reader } from "./Reader";

/** The source beside the conversation: what the desk says, where the desk says. */
export default function Viewer() {
  const say = useWords();
  const { document, page, chosen, marks, turn } = useStore(desk);
  if (!document) return null;
  const quote = marks.find((mark) => mark.key === chosen)?.quote ?? "";
  return (
    <aside className="viewer" aria-label={say("viewer.source")}>
      <Handle quote={quote} onClose={close} />
      <Reader
        reading={{ document, page, chosen, marks, turn }}
        onChoose={choose}
        onStep={step}
        onClose={close}
        onOther={open}
      />
    </aside>
  );
}
