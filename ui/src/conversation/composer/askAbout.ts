/** Questions about some documents or a notebook alone, started from any view. */

import { onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";
import { conversationStore } from "../conversationStore";
import { beginScope, chooseNotebook, type ScopeDocument, scopeStore } from "./questionOptions";

export { scopeStore as scope };

/** Start a new question about these documents alone. */
export function askAbout(documents: ScopeDocument[]): void {
  void conversationStore.open(null);
  beginScope(documents);
}

/** Start a new question about this notebook. */
export function askAboutNotebook(notebook: { id: string; title: string }): void {
  askAbout([]);
  chooseNotebook(notebook);
}

const waitingQuestion = createStore<string | null>(null);
onPersonGone(() => waitingQuestion.set(null));

/** Start a new conversation with this question about these documents alone. The start page asks it when it opens. */
export function askQuestionAbout(documents: ScopeDocument[], question: string): void {
  askAbout(documents);
  waitingQuestion.set(question);
}

/** Return the question that waits to be asked, once. */
export function takeWaitingQuestion(): string | null {
  const question = waitingQuestion.get();
  waitingQuestion.set(null);
  return question;
}
