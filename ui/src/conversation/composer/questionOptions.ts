/** The options of the next question: its focus, project and notebook, its documents or tags, and its draft. */
import type { Focus } from "../../api/types";
import { createPersonalStore, readStorage } from "../../state/persistentStore";
import { makePersonalKey, onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";

export interface ScopeDocument {
  id: string;
  title: string;
  /** It is chosen for one question alone: the one about words of it. */
  isForOneQuestion?: boolean;
}

export const focusStore = createPersonalStore<Focus>("focus", "all");
export const scopeStore = createStore<ScopeDocument[]>([]);
/** The tags that the documents of the question must all have. A question has documents or tags, never both. */
export const tagScopeStore = createStore<string[]>([]);
/** The id of the project that the question is about; "" for none. */
export const projectStore = createStore("");
/** The notebook that the question is about. Documents or tags that are chosen besides narrow its search. */
export const notebookScopeStore = createStore<{ id: string; title: string } | null>(null);
/** The documents that were chosen for one question alone, by the question, for asking it again. */
const oneQuestion = new Map<string, string[]>();
onPersonGone(() => {
  scopeStore.set([]);
  tagScopeStore.set([]);
  projectStore.set("");
  notebookScopeStore.set(null);
  oneQuestion.clear();
});
scopeStore.subscribe(() => {
  if (scopeStore.get().length && tagScopeStore.get().length) tagScopeStore.set([]);
});

/** Add a document to those that the question is about. */
export function addToScope(document: ScopeDocument): void {
  scopeStore.set((now) => (now.some((each) => each.id === document.id) ? now : [...now, document]));
}

/** Remove those of the sent documents that were chosen for this question alone. */
export function endOneQuestion(question: string, sent: readonly string[]): void {
  const isOver = (each: ScopeDocument) => each.isForOneQuestion && sent.includes(each.id);
  if (!scopeStore.get().some(isOver)) return;
  oneQuestion.set(question, [...sent]);
  scopeStore.set((now) => now.filter((each) => !isOver(each)));
}

/** Return the documents of a question that had some for itself alone; none for other questions. */
export function recallOneQuestion(question: string): string[] {
  return oneQuestion.get(question) ?? [];
}

/** Remove a document from them. */
export function removeFromScope(id: string): void {
  scopeStore.set((now) => now.filter((each) => each.id !== id));
}

/** Choose a tag for the question instead of documents, or take it out. */
export function toggleTag(tag: string): void {
  scopeStore.set([]);
  tagScopeStore.set((now) => (now.includes(tag) ? now.filter((each) => each !== tag) : [...now, tag]));
}

const SCOPE_KEY = "scope.";
const TAGS_KEY = "scope-tags.";
const PROJECT_KEY = "project.";
const NOTEBOOK_KEY = "scope-notebook.";

/** The conversation that the options belong to; null for one that has not begun. */
export const scopeConversation = createStore<string | null>(null);

/** Restore the documents or tags, the project and the notebook that were chosen for this conversation in this tab. */
export function restoreScope(conversation: string | null): void {
  scopeConversation.set(conversation);
  const read = (key: string) => readStorage(() => sessionStorage, makePersonalKey(key + (conversation ?? "")));
  const [documents, project] = [parseScope(read(SCOPE_KEY)), read(PROJECT_KEY) ?? ""];
  const tags = documents.length ? [] : parseScope<string>(read(TAGS_KEY));
  const notebook = parseScope(read(NOTEBOOK_KEY))[0] ?? null;
  scopeStore.set(documents);
  tagScopeStore.set(tags);
  projectStore.set(project);
  notebookScopeStore.set(notebook);
}

/** Keep the chosen documents or tags, the project and the notebook for this conversation, which has just begun or goes on. */
export function saveScope(conversation: string): void {
  if (scopeConversation.get() === null) {
    writeSession(SCOPE_KEY, "");
    writeSession(TAGS_KEY, "");
    writeSession(PROJECT_KEY, "");
    writeSession(NOTEBOOK_KEY, "");
  }
  scopeConversation.set(conversation);
  keepScope();
}

/** Begin to choose the options of a conversation that has not begun, with these documents. */
export function beginScope(documents: ScopeDocument[]): void {
  scopeConversation.set(null);
  scopeStore.set(documents);
  tagScopeStore.set([]);
  projectStore.set("");
  notebookScopeStore.set(null);
}

/** Make the next question one about a notebook, and nothing else. */
export function chooseNotebook(notebook: { id: string; title: string }): void {
  scopeStore.set([]);
  tagScopeStore.set([]);
  projectStore.set("");
  notebookScopeStore.set(notebook);
}

/** Add a document to those of a conversation, which may not be the open one. */
export function addToScopeOf(conversation: string | null, document: ScopeDocument): void {
  if (conversation === scopeConversation.get()) {
    addToScope(document);
    return;
  }
  const key = SCOPE_KEY + (conversation ?? "");
  const kept = parseScope(readStorage(() => sessionStorage, makePersonalKey(key)));
  writeSession(key, JSON.stringify([...kept.filter(({ id }) => id !== document.id), document]));
}

/** Write the options into the tab, so that they outlast a reload. */
function keepScope(): void {
  const conversation = scopeConversation.get() ?? "";
  writeSession(SCOPE_KEY + conversation, scopeStore.get().length ? JSON.stringify(scopeStore.get()) : "");
  writeSession(TAGS_KEY + conversation, tagScopeStore.get().length ? JSON.stringify(tagScopeStore.get()) : "");
  writeSession(PROJECT_KEY + conversation, projectStore.get());
  const notebook = notebookScopeStore.get();
  writeSession(NOTEBOOK_KEY + conversation, notebook ? JSON.stringify([notebook]) : "");
}
scopeStore.subscribe(keepScope);
tagScopeStore.subscribe(keepScope);
projectStore.subscribe(keepScope);
notebookScopeStore.subscribe(keepScope);

const ATTACHED_KEY = "attached.";

/** A file that was sent for a question and is still being read. */
export interface SentFile {
  id: string;
  name: string;
}

/** Return the files that were sent for this conversation and were being read when the page was left. */
export function restoreSentFiles(conversation: string | null): SentFile[] {
  return parseScope<SentFile>(readStorage(() => sessionStorage, makePersonalKey(ATTACHED_KEY + (conversation ?? ""))));
}

/** Keep these files for this conversation through a reload; none removes them. */
export function keepSentFiles(conversation: string | null, files: SentFile[]): void {
  writeSession(ATTACHED_KEY + (conversation ?? ""), files.length ? JSON.stringify(files) : "");
}

function parseScope<T = ScopeDocument>(text: string | null): T[] {
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
