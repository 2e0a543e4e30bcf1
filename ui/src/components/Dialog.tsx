import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslate } from "../i18n";
import { useBackLayer } from "./backLayers";
import { Icon } from "./Icon";

interface DialogProps {
  title: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog with a title. Escape, its close button and a click outside close it. */
export function Dialog({ title, className = "dialog", onClose, children }: DialogProps) {
  const t = useTranslate();
  const heading = useId();
  const window = useRef<HTMLDialogElement>(null);
  useBackLayer(true, () => window.current?.close());
  useEffect(() => {
    window.current?.showModal();
    // The browser focuses the first control, which is the close button. A person came to fill in the first field.
    window.current?.querySelector<HTMLElement>("input:enabled, textarea:enabled, select:enabled")?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own key
    <dialog
      ref={window}
      className={className}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => event.target === window.current && window.current.close()}
    >
      <header className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t("shell.close")}
          onClick={() => window.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
