import { useEffect, useRef, useState } from "react";
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";
import { said } from "../look/Trouble";
import { useWords } from "../words";
import { IconButton } from "./IconButton";
import type { Lit } from "./marks";
import type { aimed } from "./target";

type Matches = components["schemas"]["Matches"];

const TYPING = 200;
const NONE: Lit[] = [];

interface FindProps {
  document: string;
  /** The page that is read: the search begins there. */
  page: number;
  onFound: (lit: Lit[]) => void;
  onGo: (to: Parameters<typeof aimed>[0]) => void;
  onClose: () => void;
}

/** Search in the document: the server finds the words, however the document writes them. */
export function Find({ document, page, onFound, onGo, onClose }: FindProps) {
  const say = useWords();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Matches | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [at, setAt] = useState(0);
  const from = useRef(page);

  useEffect(() => {
    const before = window.document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => () => onFound(NONE), [onFound]);

  useEffect(() => {
    const leaving = new AbortController();
    setProblem(null);
    if (!words.trim()) {
      setFound(null);
      return;
    }
    const look = async () => {
      const params = { path: { document }, query: { words } };
      try {
        const answer = await server.GET("/api/documents/{document}/find", { params, signal: leaving.signal });
        const matches = got(answer) as Matches;
        setFound(matches);
        setAt(
          Math.max(
            0,
            matches.matches.findIndex((match) => (match.page ?? 0) >= from.current),
          ),
        );
      } catch (error) {
        if (!leaving.signal.aborted) setProblem(asProblem(error));
      }
    };
    const timer = setTimeout(look, TYPING);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [document, words]);

  useEffect(() => {
    const matches = found?.matches ?? [];
    onFound(matches.map((match, place) => asLit(match, place, place === at)));
    const match = matches[at];
    if (match) onGo(match);
  }, [found, at, onFound, onGo]);

  const count = found?.matches.length ?? 0;
  const step = (by: number) => count && setAt((now) => (now + by + count) % count);
  return (
    <search className="viewer-find">
      <input
        ref={field}
        className="field"
        type="search"
        placeholder={say("viewer.find")}
        aria-label={say("viewer.find")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        }}
      />
      <span className="viewer-find-count soft small" role="status">
        {problem ? said(say, problem).message : found && counted(say, found, at)}
      </span>
      <IconButton icon="up" label={say("viewer.findPrevious")} onClick={() => step(-1)} />
      <IconButton icon="down" label={say("viewer.findNext")} onClick={() => step(1)} />
      <IconButton icon="close" label={say("viewer.findClose")} onClick={onClose} />
    </search>
  );
}

function counted(say: ReturnType<typeof useWords>, { total, matches }: Matches, at: number): string {
  return matches.length ? say("viewer.foundOf", { place: at + 1, count: total }) : say("viewer.foundNone");
}

function asLit(match: Matches["matches"][number], place: number, isChosen: boolean): Lit {
  const { start, end, boxes } = match;
  return { key: `found-${place}`, tone: "found", isChosen, start, end, boxes, mark: null };
}
