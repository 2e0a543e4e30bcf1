import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { namePage } from "../text/pageNames";
import { dropHeadings } from "../text/quotes";
import { joinLines, locateSelection, type SourceSelection } from "./sourceSelection";
import type { TextRange } from "./viewerStore";

export type FoundPassage = components["schemas"]["MatchingPassage"];

const MOST_WORDS = 1000;
const EXCERPT = 320;

interface FoundElsewhereProps {
  selection: SourceSelection;
  onOpen: (passage: FoundPassage) => void;
  onClose: () => void;
}

/**
 * The passages of the library that are most like the selected words, those of other documents first, without the place
 * where they were selected.
 */
export function FoundElsewhere({ selection, onOpen, onClose }: FoundElsewhereProps) {
  const t = useTranslate();
  const { words, passages, problem } = useSimilarPassages(selection);
  return (
    <Dialog title={t("selection.elsewhere")} onClose={onClose}>
      <blockquote className="elsewhere-quote">{t("viewer.quote", { quote: shorten(words) })}</blockquote>
      {problem && <ErrorMessage fault={problem} />}
      {!problem && !passages && (
        <p role="status">
          <span className="spinner" aria-hidden="true" /> {t("selection.searching")}
        </p>
      )}
      {passages && !passages.length && <p role="status">{t("selection.foundNone")}</p>}
      <ul className="elsewhere-list">
        {passages?.map((passage) => (
          <li key={`${passage.document} ${passage.start}`}>
            <button
              type="button"
              className="elsewhere-passage"
              onClick={() => {
                onClose();
                onOpen(passage);
              }}
            >
              <span className="elsewhere-title">{passage.title}</span>
              <span className="soft small">
                {[namePage(t, passage), ...passage.headings.slice(-1)].filter((each) => each).join(" · ")}
              </span>
              <span className="elsewhere-text">
                {shorten(joinLines(dropHeadings(passage.text, [passage.title, ...passage.headings.slice(-1)])))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface SimilarPassages {
  /** The selected words, as the document's text has them once they are located. */
  words: string;
  passages: FoundPassage[] | null;
  problem: Problem | null;
}

function useSimilarPassages(selection: SourceSelection): SimilarPassages {
  const [state, set] = useState<SimilarPassages>({ words: selection.text, passages: null, problem: null });
  useEffect(() => {
    let isLeft = false;
    const search = async () => {
      const located = await locateSelection(selection);
      const words = located?.text ?? selection.text;
      const query = { words: [...words].slice(0, MOST_WORDS).join(""), limit: 20, alike: true };
      const { passages } = unwrap(await server.GET("/api/passages", { params: { query } }));
      if (!isLeft) set({ words, passages: sortElsewhere(passages, selection.document, located), problem: null });
    };
    search().catch((error: unknown) => {
      if (!isLeft) set({ words: selection.text, passages: null, problem: toProblem(error) });
    });
    return () => {
      isLeft = true;
    };
  }, [selection]);
  return state;
}

/**
 * Return the passages without the selected characters: two of each other document first, then the others, then those of
 * the same document.
 */
export function sortElsewhere(passages: FoundPassage[], document: string, range: TextRange | null): FoundPassage[] {
  const found = passages.filter((each) => !isSelected(each, document, range));
  const counts = new Map<string, number>();
  const ranks = new Map<FoundPassage, number>();
  for (const each of found) {
    const before = counts.get(each.document) ?? 0;
    counts.set(each.document, before + 1);
    ranks.set(each, each.document === document ? 2 : Number(before >= 2));
  }
  return found.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
}

/** Return whether a passage has the selected characters. */
function isSelected(passage: FoundPassage, document: string, range: TextRange | null): boolean {
  return passage.document === document && range !== null && passage.start < range.end && passage.end > range.start;
}

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join("").trimEnd()}…` : text;
}
