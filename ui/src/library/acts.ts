/** What can be done with documents. */
import { got, server } from "../api/client";
import type { Problem } from "../api/problem";
import { said } from "../look/Trouble";
import { removal } from "../removal";
import type { Say } from "../words";
import type { AddedDocument } from "./documents";
import { refreshSoon } from "./following";
import { DEFAULT } from "./holdings";
import { onAdded } from "./queue";
import { place } from "./shelf";

export const documentRemoval = removal((id) => `/api/documents/${id}`, refreshSoon);
// The same bytes are the same document: one that is brought again is not removed a moment later.
onAdded(({ id }) => documentRemoval.keep(id));

/** Add the file or page at an address. */
export async function addAddress(url: string, library: string): Promise<AddedDocument> {
  const added = got(await server.POST("/api/documents", { body: { url, library: library || DEFAULT } }));
  documentRemoval.keep(added.id);
  refreshSoon();
  return added;
}

/** Stop the work on a document. */
export async function cancel(document: string): Promise<void> {
  place(got(await server.POST("/api/documents/{document}/cancel", { params: { path: { document } } })));
}

/** The documents a password was given for on this page: one that asks again was given a wrong one. */
export const opened = new Set<string>();

/** Read a document again that failed or was not read completely, perhaps with its password. */
export async function retry(document: string, password: string): Promise<void> {
  const body = password ? { password } : null;
  const answer = await server.POST("/api/documents/{document}/retry", { params: { path: { document } }, body });
  if (password) opened.add(document);
  place(got(answer));
}

/** Call a document something else. */
export async function rename(document: string, title: string): Promise<void> {
  const params = { path: { document } };
  place(got(await server.PATCH("/api/documents/{document}", { params, body: { title } })));
}

/** A problem in one line, for what is said in passing. */
export function inWords(say: Say, problem: Problem): string {
  const { message, hint } = said(say, problem);
  return `${message} ${hint}`.trim();
}

/** The address in a text, if that is all the text is. */
export function addressIn(text: string): string | null {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed) ? trimmed : null;
}
