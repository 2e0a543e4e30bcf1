/** Keep words that are selected in a source, highlight them, or comment on them. */
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import type { Translate } from "../i18n";
import { keepThing } from "../notebook/keepThing";
import { annotationRemoval, annotationStore } from "./annotationStore";
import { locateSelection, type SourceSelection } from "./sourceSelection";
import type { TextRange } from "./viewerStore";

/** Keep the selected passage in the current notebook. */
export async function keepSelection(selection: SourceSelection, t: Translate): Promise<void> {
  const range = await findRange(selection, t);
  if (range) await keepThing({ kind: "passage", document: selection.document, ...range });
}

/** Highlight the selected words, and show the field for a comment if one is to be written. */
export async function highlightSelection(selection: SourceSelection, t: Translate, isComment: boolean): Promise<void> {
  const range = await findRange(selection, t);
  if (!range) return;
  try {
    const { id } = await annotationStore.add(selection.document, range);
    if (isComment) annotationStore.choose(id, true, true);
    else showToast(t("notes.made"), { label: t("library.undo"), run: () => undo(id, t) });
  } catch (error) {
    showToast(describeError(t, toProblem(error)).message);
  }
}

function undo(id: string, t: Translate): void {
  annotationRemoval.remove([id], t("notes.removed"));
}

async function findRange(selection: SourceSelection, t: Translate): Promise<TextRange | null> {
  const located = await locateSelection(selection);
  if (!located) showToast(t("notes.unlocated"));
  return located && { start: located.start, end: located.end };
}
