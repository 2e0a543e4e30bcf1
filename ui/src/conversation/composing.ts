/** What the next question will be asked with: its focus, the documents it is about, and the words so far. */
import type { Focus } from "../api/shapes";
import { remembered, stored } from "../remembered";
import { askingFrom, preferences } from "../settings/preferences";
import { store } from "../store";
import type { Asking } from "./talking";

export interface Chosen {
  id: string;
  title: string;
}

export const focus = remembered<Focus>("focus", "all");
export const scope = store<Chosen[]>([]);

/** Put a document among those that are asked about. */
export function include(document: Chosen): void {
  scope.set((now) => (now.some((each) => each.id === document.id) ? now : [...now, document]));
}

/** Take one out. */
export function exclude(id: string): void {
  scope.set((now) => now.filter((each) => each.id !== id));
}

/** Everything that goes with a question. */
export function asking(message: string, replaces?: string): Asking {
  const documents = scope.get().map((each) => each.id);
  return {
    ...askingFrom(preferences.get()),
    message,
    focusMode: focus.get(),
    ...(documents.length && { documents }),
    ...(replaces && { replaces }),
  };
}

const SCOPE = "pincite.scope.";

/** Take up the documents that this conversation was about, in this tab. */
export function enterScope(conversation: string | null): void {
  scope.set(conversation ? read(stored(() => sessionStorage, SCOPE + conversation)) : []);
}

/** Keep the documents that are asked about with this conversation. */
export function keepScope(conversation: string): void {
  keep(SCOPE + conversation, scope.get().length ? JSON.stringify(scope.get()) : "");
}

function read(text: string | null): Chosen[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const DRAFT = "pincite.draft.";

/** The words that were written and not sent in this conversation, in this tab. */
export function draftOf(conversation: string | null): string {
  return stored(() => sessionStorage, DRAFT + (conversation ?? "")) ?? "";
}

/** Keep them; none removes them. */
export function keepDraft(conversation: string | null, text: string): void {
  keep(DRAFT + (conversation ?? ""), text);
}

function keep(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // A full or forbidden storage: it holds as long as the page is open.
  }
}
