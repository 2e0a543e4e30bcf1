import { useEffect, useRef } from "react";
import { describeError } from "../components/ErrorMessage";
import { IconButton } from "../components/IconButton";
import { type Translate, useTranslate } from "../i18n";
import type { Highlight } from "./highlights";
import { type Matches, useDocumentSearch } from "./useDocumentSearch";
import type { Place } from "./useScrollTarget";

const NONE: Highlight[] = [];

interface FindBarProps {
  document: string;
  /** The current page, where the search starts. */
  page: number;
  onFound: (lit: Highlight[]) => void;
  onGo: (place: Place) => void;
  onClose: () => void;
}

/** The search bar of a document. The server finds the words, however the document spells them. */
export function FindBar({ document, page, onFound, onGo, onClose }: FindBarProps) {
  const t = useTranslate();
  const field = useRef<HTMLInputElement>(null);
  const { words, setWords, found, index, step, problem } = useDocumentSearch(document, page);

  useEffect(() => {
    const before = window.document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => () => onFound(NONE), [onFound]);

  useEffect(() => {
    const matches = found?.matches ?? [];
    onFound(matches.map((match, place) => makeHighlight(match, place, place === index)));
    const match = matches[index];
    if (match) onGo(match);
  }, [found, index, onFound, onGo]);

  return (
    <search className="viewer-find">
      <input
        ref={field}
        className="field"
        type="search"
        placeholder={t("viewer.find")}
        aria-label={t("viewer.find")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        }}
      />
      <span className="viewer-find-count soft small" role="status">
        {problem ? describeError(t, problem).message : found && describeCount(t, found, index)}
      </span>
      <IconButton icon="up" label={t("viewer.findPrevious")} onClick={() => step(-1)} />
      <IconButton icon="down" label={t("viewer.findNext")} onClick={() => step(1)} />
      <IconButton icon="close" label={t("viewer.findClose")} onClick={onClose} />
    </search>
  );
}

function describeCount(t: Translate, { total, matches }: Matches, at: number): string {
  return matches.length ? t("viewer.foundOf", { place: at + 1, count: total }) : t("viewer.foundNone");
}

function makeHighlight(match: Matches["matches"][number], place: number, isChosen: boolean): Highlight {
  const { start, end, boxes } = match;
  return { key: `found-${place}`, tone: "found", isChosen, start, end, boxes, mark: null };
}
