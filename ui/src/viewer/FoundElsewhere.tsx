import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { namePage } from "../text/pageNames";
import { locateSelection, type SourceSelection } from "./sourceSelection";
import type { TextRange } from "./viewerStore";

export type FoundPassage = components["schemas"]["MatchingPassage"];

const MOST_WORDS = 1000;
const EXCERPT = 320;

interface FoundElsewhereProps {
  selection: SourceSelection;
  onOpen: (passage: FoundPassage) => void;
  onClose: () => void;
}

/** The passages of the library that are most like the selected words, without the place where they were selected. */
export function FoundElsewhere({ selection, onOpen, onClose }: FoundElsewhereProps) {
  const t = useTranslate();
  const { passages, problem } = useSimilarPassages(selection);
  return (
    <Dialog title={t("selection.elsewhere")} onClose={onClose}>
      <blockquote className="elsewhere-quote">{t("viewer.quote", { quote: shorten(selection.text) })}</blockquote>
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
              <span className="elsewhere-text">{shorten(passage.text.replace(/\s+/g, " ").trim())}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useSimilarPassages(selection: SourceSelection): { passages: FoundPassage[] | null; problem: Problem | null } {
  const [state, set] = useState<{ passages: FoundPassage[] | null; problem: Problem | null }>({
    passages: null,
    problem: null,
  });
  useEffect(() => {
    let isLeft = false;
    const query = { words: [...selection.text].slice(0, MOST_WORDS).join(""), limit: 20, alike: true };
    Promise.all([server.GET("/api/passages", { params: { query } }), locateSelection(selection)]).then(
      ([answer, range]) => {
        if (isLeft) return;
        const found = unwrap(answer).passages.filter((each) => !isSelected(each, selection.document, range));
        set({ passages: found, problem: null });
      },
      (error: unknown) => !isLeft && set({ passages: null, problem: toProblem(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [selection]);
  return state;
}

/** Return whether a passage has the selected characters. */
export function isSelected(passage: FoundPassage, document: string, range: TextRange | null): boolean {
  return passage.document === document && range !== null && passage.start < range.end && passage.end > range.start;
}

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join("").trimEnd()}…` : text;
}
