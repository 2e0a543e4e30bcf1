/** What can be done with words that were selected in a source. */

import type { IconName } from "../components/Icon";
import { NARROW } from "../components/narrow";
import { insertQuote } from "../conversation/composer/draftInsertion";
import { addToScope } from "../conversation/composer/questionOptions";
import type { MessageKey, Translate } from "../i18n";
import { citeQuote } from "../text/citedQuotes";
import { copyText } from "../text/clipboard";
import { highlightSelection, keepSelection } from "./selectionNotes";
import { joinBrokenWords, type SourceSelection } from "./sourceSelection";
import { closeViewer } from "./viewerStore";

/** The functions of the view that actions may use. */
export interface SelectionContext {
  t: Translate;
  /** Go to another view of the app. */
  go: (path: string) => void;
  /** Show passages of the library that are like these words. */
  findElsewhere: (selection: SourceSelection) => void;
}

/** An action on selected words: a button of the menu. */
export interface SelectionAction {
  label: MessageKey;
  icon: IconName;
  run: (selection: SourceSelection, context: SelectionContext) => void | Promise<void>;
}

const LONGEST_QUOTE = 1500;

/** The actions in the order of the menu. */
export const SELECTION_ACTIONS: SelectionAction[] = [
  { label: "selection.ask", icon: "ask", run: askAboutSelection },
  { label: "selection.copy", icon: "copy", run: copySelection },
  { label: "selection.elsewhere", icon: "search", run: (selection, { findElsewhere }) => findElsewhere(selection) },
  { label: "selection.keep", icon: "keep", run: (selection, { t }) => keepSelection(selection, t) },
  { label: "selection.highlight", icon: "marker", run: (selection, { t }) => highlightSelection(selection, t, false) },
  { label: "selection.comment", icon: "comment", run: (selection, { t }) => highlightSelection(selection, t, true) },
];

/** Put the words into the question, which is then about their document; later questions are not. */
async function askAboutSelection(selected: SourceSelection, { t, go }: SelectionContext): Promise<void> {
  const selection = await joinBrokenWords(selected);
  const { document: id, title } = selection;
  const text = shorten(selection.text);
  insertQuote(`${citeQuote({ ...selection, text }, t)}\n\n`);
  addToScope({ id, title, isForOneQuestion: true });
  if (!document.getElementById("ask")) go("/");
  else if (matchMedia(NARROW).matches) closeViewer();
}

async function copySelection(selection: SourceSelection, { t }: SelectionContext): Promise<void> {
  await copyText(citeQuote(await joinBrokenWords(selection), t), t);
}

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST_QUOTE ? `${letters.slice(0, LONGEST_QUOTE).join("").trimEnd()}…` : text;
}
