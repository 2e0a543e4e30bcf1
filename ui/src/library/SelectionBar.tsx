import { useLocation } from "wouter";
import { Icon } from "../components/Icon";
import { askAbout } from "../conversation/composer/askAbout";
import { useTranslate } from "../i18n";
import { documentRemoval } from "./documentActions";
import type { Selection } from "./selection";

interface SelectionBarProps {
  chosen: Selection;
  mayRemove: boolean;
  onClear: () => void;
}

/** The actions on the selected documents. */
export function SelectionBar({ chosen, mayRemove, onClear }: SelectionBarProps) {
  const t = useTranslate();
  const [, go] = useLocation();
  if (!chosen.size) return null;
  return (
    <div className="chosen-bar" role="toolbar" aria-label={t("library.chosen.acts")}>
      <span role="status">{t.count("library.chosen", chosen.size)}</span>
      <button
        type="button"
        className="button main"
        onClick={() => {
          askAbout([...chosen].map(([id, title]) => ({ id, title })));
          go("/");
        }}
      >
        {t("library.ask")}
      </button>
      {mayRemove && (
        <button
          type="button"
          className="button danger"
          onClick={() => {
            documentRemoval.remove([...chosen.keys()], t.count("library.removed", chosen.size));
            onClear();
          }}
        >
          {t("library.remove")}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t("library.chosen.clear")} onClick={onClear}>
        <Icon name="close" />
      </button>
    </div>
  );
}
