import { useEffect, useRef } from "react";
import { useWords } from "../words";
import "./fields.css";

/** The end of a list that has more: it asks for it when it is nearly seen, and is a button for who cannot scroll. */
export function OnSight({ onSeen, isBusy }: { onSeen: () => void; isBusy: boolean }) {
  const say = useWords();
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
      {isBusy ? say("library.loading") : say("library.more")}
    </button>
  );
}
