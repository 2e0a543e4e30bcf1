import { useEffect, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";

export type Matches = components["schemas"]["Matches"];

const TYPING_DELAY = 200;

export interface DocumentSearch {
  words: string;
  setWords: (words: string) => void;
  /** null while nothing was searched for. */
  found: Matches | null;
  /** The index of the match that is chosen. */
  index: number;
  /** Choose the next match (1) or the previous one (-1). */
  step: (by: 1 | -1) => void;
  problem: Problem | null;
}

/** Search for words in a document on the server, from this page on, when the user stops typing. */
export function useDocumentSearch(document: string, page: number): DocumentSearch {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Matches | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [index, setIndex] = useState(0);
  const firstPage = useRef(page);

  useEffect(() => {
    const request = new AbortController();
    setProblem(null);
    if (!words.trim()) {
      setFound(null);
      return;
    }
    const search = async () => {
      const params = { path: { document }, query: { words } };
      try {
        const answer = await server.GET("/api/documents/{document}/find", { params, signal: request.signal });
        const matches = unwrap(answer) as Matches;
        const first = matches.matches.findIndex((match) => (match.page ?? 0) >= firstPage.current);
        setFound(matches);
        setIndex(Math.max(0, first));
      } catch (error) {
        if (!request.signal.aborted) setProblem(toProblem(error));
      }
    };
    const timer = setTimeout(search, TYPING_DELAY);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [document, words]);

  const count = found?.matches.length ?? 0;
  const step = (by: 1 | -1) => {
    if (count) setIndex((now) => (now + by + count) % count);
  };
  return { words, setWords, found, index, step, problem };
}
