import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { FoundElsewhere, type FoundPassage } from "./FoundElsewhere";
import { placeBeside } from "./placeBeside";
import { SELECTION_ACTIONS, type SelectionAction } from "./selectionActions";
import type { SourceSelection } from "./sourceSelection";
import type { Sheet } from "./useDocument";
import { useSourceSelection } from "./useSourceSelection";
import "./selection.css";

interface SelectionMenuProps {
  /** The element that shows the source. */
  root: HTMLElement | null;
  document: { id: string; title: string };
  sheets: Sheet[];
  /** Opens a passage that was found elsewhere. */
  onFound: (passage: FoundPassage) => void;
}

/** The menu beside words that are selected in a source. Enter goes into it, Escape closes it. */
export function SelectionMenu({ root, document: shown, sheets, onFound }: SelectionMenuProps) {
  const t = useTranslate();
  const [, go] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  const [sought, setSought] = useState<SourceSelection | null>(null);
  const enter = useCallback(() => menu.current?.querySelector("button")?.focus(), []);
  const { selected, dismiss } = useSourceSelection(root, shown, sheets, enter);

  useLayoutEffect(() => {
    const element = menu.current;
    if (!element || !selected) return;
    element.showPopover?.();
    placeBeside(selected.box, element, matchMedia("(pointer: coarse)").matches, root?.getBoundingClientRect().left);
  }, [selected, root]);

  const run = async (action: SelectionAction) => {
    if (!selected) return;
    const { selection } = selected;
    dismiss();
    await action.run(selection, { t, go, findElsewhere: setSought });
  };
  return (
    <>
      {selected && (
        <div
          ref={menu}
          popover="manual"
          className="selection-menu"
          role="toolbar"
          aria-label={t("selection.menu")}
          onKeyDown={(event) => move(event, dismiss)}
          // The selection stays when a button is pressed.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
        >
          {SELECTION_ACTIONS.map((action) => (
            <button key={action.label} type="button" className="selection-action" onClick={() => void run(action)}>
              <Icon name={action.icon} size={16} />
              {t(action.label)}
            </button>
          ))}
        </div>
      )}
      <p className="hidden" role="status">
        {selected && t("selection.hint")}
      </p>
      {sought && <FoundElsewhere selection={sought} onOpen={onFound} onClose={() => setSought(null)} />}
    </>
  );
}

/** Move the focus in the menu by the arrow keys; Escape leaves it. */
function move(event: ReactKeyboardEvent<HTMLElement>, dismiss: () => void): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === "Escape") dismiss();
  else if (to === undefined) return;
  else buttons.at(to % buttons.length)?.focus();
  event.preventDefault();
  event.stopPropagation();
}
