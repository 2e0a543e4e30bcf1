import { useEffect, useRef, useState } from "react";
import { createLazy } from "../../state/lazy";

type Drawing = typeof import("./formulaDrawing");
const loadDrawing = createLazy<Drawing>(() => import("./formulaDrawing"));

/** A formula. Until it is drawn, and if it cannot be, its LaTeX is shown. */
export function Formula({ tex, isDisplay }: { tex: string; isDisplay: boolean }) {
  const place = useRef<HTMLElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isGone = false;
    void loadDrawing().then(
      ({ drawFormula }) => {
        if (!isGone && place.current) setDrawn(drawFormula(tex, isDisplay, place.current));
      },
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [tex, isDisplay]);
  return (
    <span className="formula" data-display={isDisplay || undefined}>
      {!isDrawn && <code>{tex}</code>}
      <span ref={place} hidden={!isDrawn} />
    </span>
  );
}
