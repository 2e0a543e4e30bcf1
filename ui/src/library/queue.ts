/** The files on their way in, two at a time, whatever room is open. */
import { got, server } from "../api/client";
import { asProblem, Problem } from "../api/problem";
import { store } from "../store";
import type { AddedDocument } from "./documents";
import { type UploadOptions, upload } from "./uploads";

export interface Upload {
  key: number;
  file: File;
  options: UploadOptions;
  state: "waiting" | "sending" | "known" | "failed";
  share: number;
  problem: Problem | null;
  document: AddedDocument | null;
}

/** A file and the folder it lay in, "" for none. */
export interface Given {
  file: File;
  folder: string;
}

const AT_ONCE = 2;
const ALWAYS_TAKEN = 1_000_000;

export const uploads = store<Upload[]>([]);

type Listener = (document: AddedDocument) => void;
const listeners = new Set<Listener>();
const lines = new Map<number, AbortController>();
let count = 0;

/** Hear of every document that was taken in. */
export function onAdded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Send these files, after those that wait already. */
export function enqueue(files: Given[], library = ""): void {
  const added = files.map(({ file, folder }): Upload => {
    const options = { ...(library && { library }), ...(folder && { folder }) };
    return { key: ++count, file, options, state: "waiting", share: 0, problem: null, document: null };
  });
  uploads.set((now) => [...now, ...added]);
  go();
}

/** Stop an upload, or take its line away when it is over. */
export function dismiss(key: number): void {
  uploads.set((now) => now.filter((each) => each.key !== key));
  lines.get(key)?.abort();
}

/** Take away the lines of all files that were there already. */
export function dismissKnown(): void {
  uploads.set((now) => now.filter((each) => each.state !== "known"));
}

/** Send a file that failed once more. */
export function again(key: number): void {
  change(key, { state: "waiting", share: 0, problem: null });
  go();
}

function change(key: number, to: Partial<Upload>): void {
  uploads.set((now) => now.map((each) => (each.key === key ? { ...each, ...to } : each)));
}

function go(): void {
  for (const each of uploads.get()) {
    if (lines.size >= AT_ONCE) return;
    if (each.state === "waiting") void send(each);
  }
}

async function send({ key, file, options }: Upload): Promise<void> {
  const line = new AbortController();
  lines.set(key, line);
  change(key, { state: "sending" });
  try {
    if (file.size > ALWAYS_TAKEN) await checkSize(file);
    const document = await upload(file, options, (share) => change(key, { share }), line.signal);
    if (document.outcome === "known") change(key, { state: "known", document });
    else uploads.set((now) => now.filter((each) => each.key !== key));
    for (const listener of listeners) listener(document);
  } catch (error) {
    if (!line.signal.aborted) change(key, { state: "failed", problem: asProblem(error) });
  } finally {
    lines.delete(key);
    go();
  }
}

/** Refuse what the server would refuse: a line it closes in the middle of a file looks like a server that is gone. */
async function checkSize(file: File): Promise<void> {
  const { max_file_mb } = got(await server.GET("/api/settings"));
  if (file.size > max_file_mb * 1_000_000) throw new Problem({ code: "too_large", message: "", hint: "" }, 413);
}

window.addEventListener("beforeunload", (event) => {
  if (lines.size) event.preventDefault();
});
