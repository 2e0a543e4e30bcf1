/** A document's text in stretches of equal length, each loaded when it is wanted and kept. */
import { useCallback, useRef, useState } from "react";
import { got, server } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { components } from "../api/schema";

export type Block = components["schemas"]["BlockOf"];

/** Characters of a stretch. A block belongs to the stretch in which it begins, however long it is. */
export const STRETCH = 20_000;

export interface Text {
  length: number | null;
  stretches: Record<number, Block[]>;
  problem: Problem | null;
}

export interface Loading extends Text {
  /** Load a stretch; gives all blocks that stand in it, also one that began before it. */
  load: (stretch: number) => Promise<Block[]>;
}

const NOTHING: Text = { length: null, stretches: {}, problem: null };

/** The number of the stretch in which a block that begins here belongs. */
export function stretchOf(start: number): number {
  return Math.floor(start / STRETCH);
}

/** The text of a document, as far as it has been loaded; the component is another for another document. */
export function useText(document: string): Loading {
  const [text, set] = useState<Text>(NOTHING);
  const asked = useRef(new Map<number, Promise<Block[]>>());

  const load = useCallback(
    (stretch: number) => {
      const known = asked.current;
      const before = known.get(stretch);
      if (before) return before;
      const start = stretch * STRETCH;
      const params = { path: { document }, query: { start, end: start + STRETCH } };
      const loading = server.GET("/api/documents/{document}/blocks", { params }).then(
        (answer) => {
          const { length, blocks } = got(answer);
          const own = blocks.filter((block) => stretchOf(block.start) === stretch);
          set((now) => ({ length, problem: null, stretches: { ...now.stretches, [stretch]: own } }));
          return blocks;
        },
        (error: unknown) => {
          known.delete(stretch);
          set((now) => ({ ...now, problem: asProblem(error) }));
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
