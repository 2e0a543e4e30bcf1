/** Server-sent events over fetch. `EventSource` can neither post a question nor tell why it failed. */
import { Problem, parseProblem, toProblem } from "./problem";
import { doubtSession } from "./sessionDoubt";
import type { WireEvent } from "./types";

export interface ServerSentEvent {
  type: string;
  data: string;
}

/** Splits a stream of text into events. A chunk may end anywhere, even in the middle of a line. */
export class EventParser {
  private rest = "";

  /** Add a chunk and return the events that are complete with it. */
  push(piece: string): ServerSentEvent[] {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(parseEvent).filter((each) => each !== null);
  }
}

function parseEvent(block: string): ServerSentEvent | null {
  let type = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) type = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { type, data: data.join("\n") } : null;
}

/** Open a streaming response; throws a `Problem` if there is none. */
export async function openStream(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : toProblem(error);
  });
  if (response.status === 401) doubtSession();
  if (!response.ok) throw parseProblem(response.status, await response.json().catch(() => null));
  return response;
}

/** Read the events of a response in batches as they arrive. Leaving the loop closes the connection. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent[]> {
  // Not every browser can iterate over a body, so read it with its reader.
  const reader = response.body?.getReader();
  if (!reader) return;
  const cutter = new EventParser();
  const decoder = new TextDecoder();
  try {
    for (let { done, value } = await readChunk(reader); !done; { done, value } = await readChunk(reader)) {
      const events = cutter.push(decoder.decode(value, { stream: true }));
      if (events.length) yield events;
    }
    doubtSession();
  } catch (error) {
    if (!isAbort(error)) doubtSession();
    throw error;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * The server sends something every 15 seconds. A connection that is silent for this long is dead, as after a laptop
 * slept.
 */
const SILENCE_TIMEOUT = 45_000;

/** Read the next chunk of a body; throws a `Problem` if the connection is dead. */
async function readChunk<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem({ code: "offline", message: "", hint: "" })), SILENCE_TIMEOUT);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Read the events of an answer in batches; throws its problem if the answer did not begin. */
export async function* readAnswer(response: Response): AsyncGenerator<WireEvent[]> {
  for await (const batch of readEvents(response)) {
    const events = parseWireEvents(batch);
    const failure = events.find((event) => event.type === "error" && event.seq === 0);
    if (failure?.type === "error") throw new Problem(failure.data);
    yield events;
  }
}

/** Parse the events of an answer. */
export function parseWireEvents(batch: ServerSentEvent[]): WireEvent[] {
  return batch.map((each) => JSON.parse(each.data) as WireEvent);
}
