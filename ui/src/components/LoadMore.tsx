import { useEffect, useRef } from "react";
import { useTranslate } from "../i18n";
import "../styles/fields.css";

/** The end of a list that has more items. It loads them when it comes near the view, and is a button for keyboards. */
export function LoadMore({ onSeen, isBusy }: { onSeen: () => void; isBusy: boolean }) {
  const t = useTranslate();
  const end = useRef<HTMLButtonElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;

  useEffect(() => {
    if (!end.current || isBusy) return;
    const eye = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
      rootMargin: "600px 0px",
    });
    eye.observe(end.current);
    return () => eye.disconnect();
  }, [isBusy]);

  return (
    <button ref={end} type="button" className="button on-sight" disabled={isBusy} onClick={onSeen}>
      {isBusy && <span className="spinner" />}
      {isBusy ? t("library.loading") : t("library.more")}
    </button>
  );
}
