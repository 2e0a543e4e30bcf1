/** Upload files, and wait until they can be asked about. */
import { server, unwrap } from "../api/client";
import { Problem, parseProblem, toProblem } from "../api/problem";
import { openStream, readEvents } from "../api/serverSentEvents";
import { doubtSession } from "../api/sessionDoubt";
import { type AddedDocument, type Document, isRead, type Progress } from "./documents";

export interface UploadOptions {
  library?: string;
  folder?: string;
  password?: string;
}

const PAUSE = 1000;

/** Upload a file. `onProgress` gets the share that was sent, 0 to 1. Rejects with a `Problem` or the abort reason. */
export function uploadFile(
  file: File,
  options: UploadOptions = {},
  onProgress?: (share: number) => void,
  signal?: AbortSignal,
): Promise<AddedDocument> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener("abort", abort, { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 401) doubtSession();
      if (request.status < 300) resolve(request.response as AddedDocument);
      else reject(parseProblem(request.status, request.response));
    };
    request.onerror = () => reject(new Problem({ code: "offline", message: "", hint: "" }));
    request.onabort = () => reject(signal?.reason ?? new DOMException("The upload was cancelled.", "AbortError"));
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    request.responseType = "json";
    request.open("POST", "/api/documents");
    request.send(makeForm(file, options));
  });
}

function makeForm(file: File, options: UploadOptions): FormData {
  const sent = new FormData();
  for (const [name, value] of Object.entries(options)) if (value) sent.set(name, value);
  sent.set("file", file, file.name);
  return sent;
}

/** Wait until a document can be asked about; throws a `Problem` if it cannot be read. */
export async function waitUntilSearchable(id: string, signal?: AbortSignal): Promise<Document> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      const response = await openStream(`/api/documents/${encodeURIComponent(id)}/events`, signal ? { signal } : {});
      await waitForReading(response);
      const document = await loadDocument(id, signal);
      if (document.status === "failed") throw makeProblem(document);
      if (isRead(document.status)) return document;
    } catch (error) {
      signal?.throwIfAborted();
      const problem = toProblem(error);
      if (problem.code !== "offline" && problem.status < 500) throw problem;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Read a document's events until it is searchable or the stream ends. */
async function waitForReading(response: Response): Promise<void> {
  for await (const batch of readEvents(response)) {
    for (const { type, data } of batch) {
      if (type !== "progress") continue;
      const { status } = JSON.parse(data) as Progress;
      if (isRead(status) || status === "failed") return;
    }
  }
}

async function loadDocument(id: string, signal?: AbortSignal): Promise<Document> {
  const params = { params: { path: { document: id } }, ...(signal && { signal }) };
  return unwrap(await server.GET("/api/documents/{document}", params));
}

/** Make the problem of a document that could not be read. */
export function makeProblem(document: Document): Problem {
  return new Problem({ code: document.error_code || "unreadable", message: document.error, hint: "" }, 422);
}
