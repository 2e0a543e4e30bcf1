import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import { toCodePointIndex } from "../text/codePoints";
import { type CodeLine, splitCodeLines } from "./codeLines";

/** Characters in one request; the server gives no more. */
const MOST = 1_000_000;

export interface CodeText {
  text: string;
  lines: CodeLine[];
}

/** Load the whole text of a source file and split it into lines; null while it is loading. */
export function useCodeText(document: string): {
  code: CodeText | null;
  problem: Problem | null;
  again: () => void;
} {
  const [state, set] = useState<{ code: CodeText | null; problem: Problem | null }>({ code: null, problem: null });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number loads again
  useEffect(() => {
    const leaving = new AbortController();
    loadText(document, leaving.signal).then(
      (text) => set({ code: { text, lines: splitCodeLines(text) }, problem: null }),
      (error: unknown) => {
        if (!leaving.signal.aborted) set({ code: null, problem: toProblem(error) });
      },
    );
    return () => leaving.abort();
  }, [document, tries]);
  return { ...state, again: () => setTries((now) => now + 1) };
}

async function loadText(document: string, signal: AbortSignal): Promise<string> {
  let text = "";
  for (let start = 0; ; ) {
    const params = { path: { document }, query: { start, end: start + MOST } };
    const part = unwrap(await server.GET("/api/documents/{document}/text", { params, signal })).text;
    text += part;
    const length = toCodePointIndex(part, part.length);
    if (length < MOST) return text;
    start += length;
  }
}
