import { useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { useSelector } from "../state/useSelector";
import { viewerStore } from "../viewer/viewerStore";

/** The widths from which the panel fits beside a view, and beside a view with an open source. */
const ALONE = "(min-width: 1200px)";
const WITH_SOURCE = "(min-width: 1680px)";

/** Return whether the panel fits beside the view that is shown. */
export function useRoom(): boolean {
  const [path] = useLocation();
  const isOpen = useSelector(viewerStore, (now) => now.isOpen && Boolean(now.document || now.file));
  const hasSource = path.startsWith("/d/") || (isOpen && /^\/(c\/.*|library)?$/.test(path));
  return useMedia(hasSource ? WITH_SOURCE : ALONE);
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
