import type { KeyboardEvent } from "react";
import { glide } from "./gliding";

interface Keyed {
  find: () => void;
  /** Close what is open in the viewer; null where Escape belongs to somebody else. */
  dismiss: (() => void) | null;
  zoom: (by: 1 | -1 | 0) => void;
}

/** What keys do while the focus is in the viewer: search, zoom, and moving through the document. */
export function keyed({ find, dismiss, zoom }: Keyed): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === "f") return done(event, find);
    if (dismiss && event.key === "Escape") return done(event, dismiss);
    if (isCommand || (event.target as HTMLElement).closest("input, textarea, select, [role=menu]")) return;
    if (event.key === "+" || event.key === "=") return done(event, () => zoom(1));
    if (event.key === "-") return done(event, () => zoom(-1));
    if (event.key === "0") return done(event, () => zoom(0));
    const scroller = event.currentTarget.querySelector<HTMLElement>("[data-scroller]");
    const to = scroller && destination(scroller, event.key);
    if (scroller && to !== null) done(event, () => glide(scroller, to, scroller.scrollLeft, true));
  };
}

function destination({ scrollTop, clientHeight, scrollHeight }: HTMLElement, key: string): number | null {
  if (key === "PageDown") return scrollTop + clientHeight * 0.9;
  if (key === "PageUp") return scrollTop - clientHeight * 0.9;
  if (key === "Home") return 0;
  if (key === "End") return scrollHeight;
  return null;
}

function done(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}
