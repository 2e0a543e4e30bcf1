/** In a conversation that is shared by a link, documents have numbers instead of their ids. */
const HIDDEN = /^source-\d+$/;

/** Return whether this is such a number, which the server does not know. */
export function isHiddenDocument(document: string): boolean {
  return HIDDEN.test(document);
}
