/** Files on their way to the server, and the wait until they can be asked about. */
import { got, server } from "../api/client";
import { asProblem, Problem, problemOf } from "../api/problem";
import { batches, opened } from "../api/stream";
import { type AddedDocument, type Document, isRead, type Progress } from "./documents";

export interface UploadOptions {
  library?: string;
  folder?: string;
  password?: string;
}

const PAUSE = 1000;

/** Send a file; `onProgress` hears the share that has left, 0 to 1. What goes wrong is a `Problem`, or the abort. */
export function upload(
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
      if (request.status < 300) resolve(request.response as AddedDocument);
      else reject(problemOf(request.status, request.response));
    };
    request.onerror = () => reject(new Problem({ code: "offline", message: "", hint: "" }));
    request.onabort = () => reject(signal?.reason ?? new DOMException("The upload was cancelled.", "AbortError"));
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    request.responseType = "json";
    request.open("POST", "/api/documents");
    request.send(form(file, options));
  });
}

function form(file: File, options: UploadOptions): FormData {
  const sent = new FormData();
  for (const [name, value] of Object.entries(options)) if (value) sent.set(name, value);
  sent.set("file", file, file.name);
  return sent;
}

/** The document once it can be asked about; a `Problem` that says why when it cannot be read. */
export async function waitUntilSearchable(id: string, signal?: AbortSignal): Promise<Document> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      const response = await opened(`/api/documents/${encodeURIComponent(id)}/events`, signal ? { signal } : {});
      await over(response);
      const document = await look(id, signal);
      if (document.status === "failed") throw failed(document);
      if (isRead(document.status)) return document;
    } catch (error) {
      signal?.throwIfAborted();
      const problem = asProblem(error);
      if (problem.code !== "offline" && problem.status < 500) throw problem;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Reads a document's events until it is searchable or nothing more comes. */
async function over(response: Response): Promise<void> {
  for await (const batch of batches(response)) {
    for (const { type, data } of batch) {
      if (type !== "progress") continue;
      const { status } = JSON.parse(data) as Progress;
      if (isRead(status) || status === "failed") return;
    }
  }
}

async function look(id: string, signal?: AbortSignal): Promise<Document> {
  const params = { params: { path: { document: id } }, ...(signal && { signal }) };
  return got(await server.GET("/api/documents/{document}", params));
}

/** Why a document cannot be asked about. */
export function failed(document: Document): Problem {
  return new Problem({ code: document.error_code || "unreadable", message: document.error, hint: "" }, 422);
}
