import { type KeyboardEvent, type ReactNode, useCallback, useId, useLayoutEffect, useRef, useState } from "react";
import { usePlacedPopover } from "./popover";

const ENTRIES = "[role^=menuitem], .menu-item, .menu-form input";

interface MenuProps {
  label: string;
  className?: string;
  disabled?: boolean;
  trigger: ReactNode;
  /** It has a field to type in, so it is no menu for a screen reader: its entries are buttons. */
  hasField?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a menu. Arrow keys move in it; Escape and a click elsewhere close it. */
export function Menu({ label, className = "icon-button", disabled = false, trigger, hasField, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  const close = useCallback(() => list.current?.hidePopover(), []);

  usePlacedPopover(isOpen, button, list);
  useLayoutEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>(ENTRIES)?.focus();
  }, [isOpen]);

  const move = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>(ENTRIES) ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup={hasField ? "dialog" : "menu"}
        aria-expanded={isOpen}
        disabled={disabled}
        popoverTarget={id}
      >
        {trigger}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a menu or a dialog */}
      <div
        ref={list}
        id={id}
        popover="auto"
        {...{ role: hasField ? "dialog" : "menu", "aria-label": label }}
        className="menu"
        tabIndex={-1}
        onKeyDown={move}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}
