/** Keep things in the current notebook, and tell where they are. */
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { getTranslate } from "../i18n";
import {
  currentNotebook,
  itemRemoval,
  type KeptThing,
  makeRemovalId,
  notebookPanel,
  notebookStore,
} from "./notebookStore";

/** Keep a thing in the current notebook. The toast names the notebook and opens it. */
export async function keepThing(thing: KeptThing): Promise<void> {
  const t = getTranslate();
  try {
    const { notebook, item, isNew } = await notebookStore.keep(thing, t("notebook.first"));
    const { id, title } = notebook;
    const isBack = itemRemoval.gone.get().has(makeRemovalId(item));
    if (isBack) itemRemoval.keep(makeRemovalId(item));
    const open = () => openPanel(id);
    if (notebookPanel.get()) void notebookStore.show(id);
    showToast(
      t(isNew || isBack ? "notebook.kept" : "notebook.keptBefore", { title }),
      notebookPanel.get() ? undefined : { label: t("notebook.look"), run: open },
    );
  } catch (error) {
    const { message, hint } = describeError(t, toProblem(error));
    showToast(`${message} ${hint}`.trim());
  }
}

/** Open the panel with a notebook, or with the current one. */
export function openPanel(id = currentNotebook.get()): void {
  notebookPanel.set(true);
  if (id) currentNotebook.set(id);
}
