/** Open a source at a mark, from whichever view. */
import { navigate } from "wouter/use-browser-location";
import { NARROW } from "../components/narrow";
import { notebookPanel } from "../notebook/notebookStore";
import { createStore } from "../state/store";
import { makeLink } from "./documentAddress";
import { type Mark, openMark } from "./viewerStore";

const placesBeside = createStore(0);

/** Announce a view that shows the viewer beside it. Returns how to take that back. */
export function offerPlaceBeside(): () => void {
  placesBeside.set((now) => now + 1);
  return () => placesBeside.set((now) => now - 1);
}

/** The entry of the browser's history that asks for a passage. `request` differs even where the address is the same. */
export interface PassageRequest {
  request: number;
}

/** Open a source at a mark: beside the view, or on the document's own page if the view has no place beside it. */
export function openSource(mark: Mark): void {
  if (placesBeside.get()) {
    openMark(mark);
    return;
  }
  // The notebook would cover the document.
  if (matchMedia(NARROW).matches) notebookPanel.set(false);
  const link = makeLink(mark.document, mark, null);
  const state: PassageRequest = { request: Date.now() };
  navigate(link, { state, replace: link === location.pathname + location.search });
}
