import { type KeyboardEvent, type ReactNode, useCallback, useId, useRef, useState } from "react";

interface MenuProps {
  label: string;
  className?: string;
  disabled?: boolean;
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a list of things to do: arrows move in it, Escape and a click elsewhere close it. */
export function Menu({ label, className = "icon-button", disabled = false, trigger, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  const close = useCallback(() => list.current?.hidePopover(), []);

  const place = () => {
    const box = button.current?.getBoundingClientRect();
    const menu = list.current;
    if (!box || !menu) return;
    const { width, height } = menu.getBoundingClientRect();
    const below = box.bottom + 4 + height <= innerHeight - 8;
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    menu.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - height - 4)}px`;
    menu.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  };

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
        onToggle={(event) => {
          setOpen(event.newState === "open");
          if (event.newState === "open") place();
        }}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}
