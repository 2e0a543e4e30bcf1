/** The text of a document in sections of equal length, loaded on demand and kept. */
import { useCallback, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";

export type Block = components["schemas"]["BlockOf"];

/** The length of a section in characters. A block belongs to the section in which it starts, however long it is. */
export const SECTION_LENGTH = 20_000;

export interface TextState {
  length: number | null;
  sections: Record<number, Block[]>;
  problem: Problem | null;
}

export interface DocumentText extends TextState {
  /** Load a section; resolves to all blocks in it, including one that started before it. */
  load: (stretch: number) => Promise<Block[]>;
}

const NOTHING: TextState = { length: null, sections: {}, problem: null };

/** Return the index of the section of a block that starts here. */
export function getSectionIndex(start: number): number {
  return Math.floor(start / SECTION_LENGTH);
}

/** Return the text of a document as far as it is loaded. Use one component per document. */
export function useDocumentText(document: string): DocumentText {
  const [text, set] = useState<TextState>(NOTHING);
  const asked = useRef(new Map<number, Promise<Block[]>>());

  const load = useCallback(
    (stretch: number) => {
      const known = asked.current;
      const before = known.get(stretch);
      if (before) return before;
      const start = stretch * SECTION_LENGTH;
      const params = { path: { document }, query: { start, end: start + SECTION_LENGTH } };
      const loading = server.GET("/api/documents/{document}/blocks", { params }).then(
        (answer) => {
          const { length, blocks } = unwrap(answer);
          const own = blocks.filter((block) => getSectionIndex(block.start) === stretch);
          set((now) => ({ length, problem: null, sections: { ...now.sections, [stretch]: own } }));
          return blocks;
        },
        (error: unknown) => {
          known.delete(stretch);
          set((now) => ({ ...now, problem: toProblem(error) }));
          return [];
        },
      );
      known.set(stretch, loading);
      return loading;
    },
    [document],
  );

  return { ...text, load };
}
