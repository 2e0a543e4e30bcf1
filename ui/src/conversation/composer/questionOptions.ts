/** The options of the next question: its focus, its project, its documents and its draft. */
import type { Focus, QuestionRequest } from "../../api/types";
import { makeRequestFields, preferencesStore } from "../../settings/preferences";
import { createPersonalStore, readStorage } from "../../state/persistentStore";
import { makePersonalKey, onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";

export interface ScopeDocument {
  id: string;
  title: string;
}

export const focusStore = createPersonalStore<Focus>("focus", "all");
export const scopeStore = createStore<ScopeDocument[]>([]);
/** The id of the project that the question is about; "" for none. */
export const projectStore = createStore("");
onPersonGone(() => {
  scopeStore.set([]);
  projectStore.set("");
});

/** Add a document to those that the question is about. */
export function addToScope(document: ScopeDocument): void {
  scopeStore.set((now) => (now.some((each) => each.id === document.id) ? now : [...now, document]));
}

/** Remove a document from them. */
export function removeFromScope(id: string): void {
  scopeStore.set((now) => now.filter((each) => each.id !== id));
}

/** Make the request for a question from its options and the user's preferences. */
export function makeRequest(message: string, replaces?: string): QuestionRequest {
  const documents = scopeStore.get().map((each) => each.id);
  const project = projectStore.get();
  return {
    ...makeRequestFields(preferencesStore.get()),
    message,
    focusMode: focusStore.get(),
    ...(documents.length && { documents }),
    ...(project && { project }),
    ...(replaces && { replaces }),
  };
}

const SCOPE_KEY = "scope.";
const PROJECT_KEY = "project.";

/** Restore the documents and the project that were chosen for this conversation in this tab. */
export function restoreScope(conversation: string | null): void {
  const read = (key: string) =>
    conversation ? readStorage(() => sessionStorage, makePersonalKey(key + conversation)) : null;
  scopeStore.set(parseScope(read(SCOPE_KEY)));
  projectStore.set(read(PROJECT_KEY) ?? "");
}

/** Save the chosen documents and the project for this conversation. */
export function saveScope(conversation: string): void {
  writeSession(SCOPE_KEY + conversation, scopeStore.get().length ? JSON.stringify(scopeStore.get()) : "");
  writeSession(PROJECT_KEY + conversation, projectStore.get());
}

function parseScope(text: string | null): ScopeDocument[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const DRAFT_KEY = "draft.";

/** Return the unsent text of this conversation in this tab. */
export function restoreDraft(conversation: string | null): string {
  return readStorage(() => sessionStorage, makePersonalKey(DRAFT_KEY + (conversation ?? ""))) ?? "";
}

/** Save the unsent text; "" removes it. */
export function saveDraft(conversation: string | null, text: string): void {
  writeSession(DRAFT_KEY + (conversation ?? ""), text);
}

function writeSession(name: string, text: string): void {
  const key = makePersonalKey(name);
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // The storage is full or forbidden. The value lasts as long as the page is open.
  }
}
