/** Files on their way to the library, for the question that is being written. */
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import { upload, waitUntilSearchable } from "../library/uploads";
import { store } from "../store";
import { include } from "./composing";

/** `share` of the file that has been sent, 1 while it is being read. */
export interface Attaching {
  key: number;
  name: string;
  share: number;
  problem: Problem | null;
  leave: () => void;
}

export const attaching = store<Attaching[]>([]);
let count = 0;

type Sending = (onProgress: (share: number) => void, signal: AbortSignal) => Promise<{ id: string }>;

/** Send files and ask about them, each as soon as it can be asked about. */
export function attach(files: readonly File[]): void {
  for (const file of files) void bring(file.name, (onProgress, signal) => upload(file, {}, onProgress, signal));
}

/** Have a page or file of the web fetched, and ask about it. */
export function attachAddress(url: string): void {
  void bring(url, async (_, signal) => got(await server.POST("/api/documents", { body: { url }, signal })));
}

async function bring(name: string, send: Sending): Promise<void> {
  const key = ++count;
  const { signal, ...control } = controlled();
  const drop = () => attaching.set((now) => now.filter((each) => each.key !== key));
  const change = (made: Partial<Attaching>) =>
    attaching.set((now) => now.map((each) => (each.key === key ? { ...each, ...made } : each)));
  const leave = () => {
    control.abort();
    drop();
  };
  attaching.set((now) => [...now, { key, name, share: 0, problem: null, leave }]);
  try {
    const added = await send((share) => change({ share }), signal);
    change({ share: 1 });
    const document = await waitUntilSearchable(added.id, signal);
    include({ id: document.id, title: document.title || document.name });
    drop();
  } catch (error) {
    if (!signal.aborted) change({ problem: asProblem(error) });
  }
}

function controlled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
