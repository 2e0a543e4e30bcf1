import { useLocation } from "wouter";
import { Icon } from "../components/Icon";
import { askAbout } from "../conversation/composer/askAbout";
import { type Translate, useTranslate } from "../i18n";
import { documentRemoval } from "./documentActions";
import { SelectionChanges } from "./SelectionChanges";
import type { Selection } from "./selection";

/** A question may be about so many documents. */
const MAX_ASKED = 1000;

interface SelectionBarProps {
  chosen: Selection;
  /** How many of them the filter hides. */
  hidden: number;
  mayRemove: boolean;
  /** Those of them that were read, so that they can be asked about. */
  read: Selection;
  onClear: () => void;
}

/** The actions on the selected documents. */
export function SelectionBar({ chosen, hidden, mayRemove, read, onClear }: SelectionBarProps) {
  const t = useTranslate();
  const [, go] = useLocation();
  if (!chosen.size) return null;
  const refusal = explainRefusal(t, read.size);
  return (
    <div className="chosen-bar" role="toolbar" aria-label={t("library.chosen.acts")}>
      <span role="status">
        {hidden ? t.count("library.chosen.hidden", chosen.size, { hidden }) : t.count("library.chosen", chosen.size)}
      </span>
      <button
        type="button"
        className="button main"
        disabled={refusal !== ""}
        onClick={() => {
          askAbout([...read.values()].map(({ id, title, name }) => ({ id, title: title || name })));
          go("/");
        }}
      >
        {read.size && read.size < chosen.size ? t.count("library.ask.read", read.size) : t("library.ask")}
      </button>
      {mayRemove && <SelectionChanges documents={[...chosen.keys()]} onDone={onClear} />}
      {mayRemove && (
        <button
          type="button"
          className="button danger"
          onClick={() => {
            const told = hidden ? "library.removed.hidden" : "library.removed";
            documentRemoval.remove([...chosen.keys()], t.count(told, chosen.size, { hidden }));
            onClear();
          }}
        >
          {t("library.remove")}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t("library.chosen.clear")} onClick={onClear}>
        <Icon name="close" />
      </button>
      <p className="chosen-refusal small" role="status">
        {refusal}
      </p>
    </div>
  );
}

/** Explain why one cannot ask about so many documents; "" if one can. */
function explainRefusal(t: Translate, read: number): string {
  if (!read) return t("library.ask.unread");
  return read > MAX_ASKED ? t("library.ask.tooMany", { most: MAX_ASKED.toLocaleString(t.language) }) : "";
}
