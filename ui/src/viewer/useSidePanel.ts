import { useEffect, useState } from "react";
import { useStore } from "../state/store";
import { annotationStore } from "./annotationStore";
import type { DocumentReaderProps } from "./DocumentReader";
import { NOTE_MARK } from "./useAnnotations";
import type { Mark } from "./viewerStore";

/**
 * Whether the panel beside the pages is open, and shows highlights and comments. A click on a highlight, and a comment
 * to write, open it.
 */
export function useSidePanel(onChoose: DocumentReaderProps["onChoose"]) {
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isNotes, setNotes] = useState(false);
  const { chosen, isWriting } = useStore(annotationStore);
  const writing = isWriting ? chosen : null;
  const openNotes = () => {
    setNotes(true);
    setPanelOpen(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the panel once for each comment
  useEffect(() => {
    if (writing) openNotes();
  }, [writing]);
  const choose = (mark: Mark) => {
    if (!mark.key.startsWith(NOTE_MARK)) return onChoose(mark);
    annotationStore.choose(mark.key.slice(NOTE_MARK.length));
    openNotes();
  };
  return { isPanelOpen, togglePanel: () => setPanelOpen((now) => !now), isNotes, setNotes, choose };
}
