/** The actions on documents. */
import { server, unwrap } from "../api/client";
import type { Problem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import type { Translate } from "../i18n";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";
import { documentListStore } from "./documentListStore";
import type { AddedDocument } from "./documents";
import { DEFAULT } from "./librariesStore";
import { progressStream } from "./progressStream";
import { uploadQueue } from "./uploadQueue";

export const documentRemoval = createRemoval((id) => `/api/documents/${id}`, progressStream.refreshSoon);
// Equal bytes are the same document. One that is added again must not be removed a moment later.
uploadQueue.onAdded(({ id }) => documentRemoval.keep(id));

/** Add the file or page at an address. */
export async function addAddress(url: string, library: string): Promise<AddedDocument> {
  const added = unwrap(await server.POST("/api/documents", { body: { url, library: library || DEFAULT } }));
  documentRemoval.keep(added.id);
  progressStream.refreshSoon();
  return added;
}

/** Stop the work on a document. */
export async function cancelDocument(document: string): Promise<void> {
  documentListStore.replace(
    unwrap(await server.POST("/api/documents/{document}/cancel", { params: { path: { document } } })),
  );
}

/** The documents whose last try on this page had a password. If one asks again, the password was wrong. */
export const passwordsGiven = createStore<ReadonlySet<string>>(new Set());
onPersonGone(() => passwordsGiven.set(new Set()));

/** Read a document again that failed or was not read completely, perhaps with a password. */
export async function retryDocument(document: string, password: string): Promise<void> {
  const body = password ? { password } : null;
  const answer = await server.POST("/api/documents/{document}/retry", { params: { path: { document } }, body });
  passwordsGiven.set(
    (now) => new Set([...[...now].filter((each) => each !== document), ...(password ? [document] : [])]),
  );
  documentListStore.replace(unwrap(answer));
}

/** Rename a document. */
export async function renameDocument(document: string, title: string): Promise<void> {
  const params = { path: { document } };
  documentListStore.replace(unwrap(await server.PATCH("/api/documents/{document}", { params, body: { title } })));
}

/** Describe a problem in one line, for a toast. */
export function describeInOneLine(t: Translate, problem: Problem): string {
  const { message, hint } = describeError(t, problem);
  return `${message} ${hint}`.trim();
}

/** Return the address in a text if the text is nothing else. */
export function findAddress(text: string): string | null {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed) ? trimmed : null;
}
