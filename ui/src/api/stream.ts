/** Server-sent events over fetch: `EventSource` can neither post a question nor tell why it failed. */
import { asProblem, Problem, problemOf } from "./problem";
import type { WireEvent } from "./shapes";

export interface Sent {
  type: string;
  data: string;
}

/** Cuts a stream of text into events; pieces may end anywhere, even in the middle of a line. */
export class Cutter {
  private rest = "";

  /** The events that are complete with this piece. */
  take(piece: string): Sent[] {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(sent).filter((each) => each !== null);
  }
}

function sent(block: string): Sent | null {
  let type = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) type = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { type, data: data.join("\n") } : null;
}

/** The response to a request that streams; a `Problem` when there is none. */
export async function opened(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : asProblem(error);
  });
  if (!response.ok) throw problemOf(response.status, await response.json().catch(() => null));
  return response;
}

/** The events of a response, in batches as they arrive; who stops listening lets go of the line. */
export async function* batches(response: Response): AsyncGenerator<Sent[]> {
  // By its reader: not every browser lets a body be iterated.
  const reader = response.body?.getReader();
  if (!reader) return;
  const cutter = new Cutter();
  const decoder = new TextDecoder();
  try {
    for (let { done, value } = await next(reader); !done; { done, value } = await next(reader)) {
      const events = cutter.take(decoder.decode(value, { stream: true }));
      if (events.length) yield events;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The server says something every 15 seconds: a line as silent as this is dead, as after a laptop slept. */
const SILENCE = 45_000;

/** The next piece of a body; a `Problem` when the line is dead. */
async function next<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem({ code: "offline", message: "", hint: "" })), SILENCE);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer's events of a batch. */
export function wireEvents(batch: Sent[]): WireEvent[] {
  return batch.map((each) => JSON.parse(each.data) as WireEvent);
}
