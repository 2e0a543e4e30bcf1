import { type KeyboardEvent, type ReactNode, useCallback, useId, useLayoutEffect, useRef, useState } from "react";
import { placePopover } from "./popover";

interface MenuProps {
  label: string;
  className?: string;
  disabled?: boolean;
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a menu. Arrow keys move in it; Escape and a click elsewhere close it. */
export function Menu({ label, className = "icon-button", disabled = false, trigger, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  const close = useCallback(() => list.current?.hidePopover(), []);

  // The size of the list is known only once it is rendered.
  useLayoutEffect(() => {
    if (!isOpen) return;
    placePopover(button.current, list.current);
    list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, [isOpen]);

  const move = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
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
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={disabled}
        popoverTarget={id}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
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
