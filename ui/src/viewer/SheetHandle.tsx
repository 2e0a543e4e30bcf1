import { useRef } from "react";
import { useTranslate } from "../i18n";

const PULL_DISTANCE = 48;

/** The handle of the sheet on a phone. A tap or a pull down closes the sheet. */
export function SheetHandle({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
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
        if (from.current === null || event.clientY - from.current < PULL_DISTANCE) return;
        from.current = null;
        onClose();
      }}
      onPointerUp={() => {
        from.current = null;
      }}
    >
      <span className="viewer-handle-bar" aria-hidden="true" />
      <span className="hidden">{t("viewer.close")}</span>
    </button>
  );
}
