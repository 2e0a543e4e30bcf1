import { useLocation } from "wouter";
import { askAbout } from "../conversation/scope";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { documentRemoval } from "./acts";
import type { Choice } from "./choosing";

/** What can be done with the documents that are chosen. */
export function ChosenBar({ chosen, onClear }: { chosen: Choice; onClear: () => void }) {
  const say = useWords();
  const [, go] = useLocation();
  if (!chosen.size) return null;
  return (
    <div className="chosen-bar" role="toolbar" aria-label={say("library.chosen.acts")}>
      <span role="status">{say.count("library.chosen", chosen.size)}</span>
      <button
        type="button"
        className="button main"
        onClick={() => {
          askAbout([...chosen].map(([id, title]) => ({ id, title })));
          go("/");
        }}
      >
        {say("library.ask")}
      </button>
      <button
        type="button"
        className="button danger"
        onClick={() => {
          documentRemoval.remove([...chosen.keys()], say.count("library.removed", chosen.size));
          onClear();
        }}
      >
        {say("library.remove")}
      </button>
      <button type="button" className="icon-button" aria-label={say("library.chosen.clear")} onClick={onClear}>
        <Icon name="close" />
      </button>
    </div>
  );
}
