/** The text of a document in sections of equal length, loaded on demand and kept. */
import { useCallback, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import type { components } from "../api/schema";

export type Block = components["schemas"]["BlockOf"];
export type DrawnBlock = components["schemas"]["DrawnBlock"];

/** A block of the text, or one that is drawn as it looks. */
export type TextItem =
  | { start: number; end: number; block: Block; drawing: null }
  | { start: number; end: number; block: null; drawing: DrawnBlock };

/** The length of a section in characters. A block belongs to the section in which it starts, however long it is. */
export const SECTION_LENGTH = 20_000;

export interface TextState {
  length: number | null;
  sections: Record<number, TextItem[]>;
  /** The width of the lines on paper in points; 0 if nothing is drawn. */
  width: number;
  problem: Problem | null;
}

export interface DocumentText extends TextState {
  /** Load a section; resolves to all blocks in it, including one that started before it. */
  load: (stretch: number) => Promise<TextItem[]>;
}

const NOTHING: TextState = { length: null, sections: {}, width: 0, problem: null };

/** Return the index of the section of a block that starts here. */
export function getSectionIndex(start: number): number {
  return Math.floor(start / SECTION_LENGTH);
}

/** Return the text of a document as far as it is loaded, drawn as it looks if that is asked. */
export function useDocumentText(document: string, isDrawn: boolean): DocumentText {
  const [text, set] = useState<TextState>(NOTHING);
  const asked = useRef(new Map<number, Promise<TextItem[]>>());

  const load = useCallback(
    (stretch: number) => {
      const known = asked.current;
      const before = known.get(stretch);
      if (before) return before;
      const start = stretch * SECTION_LENGTH;
      const loading = loadStretch(document, isDrawn, start, start + SECTION_LENGTH).then(
        ({ length, width, items }) => {
          const own = items.filter((item) => getSectionIndex(item.start) === stretch);
          set((now) => ({ length, width, problem: null, sections: { ...now.sections, [stretch]: own } }));
          return items;
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
    [document, isDrawn],
  );

  return { ...text, load };
}

async function loadStretch(document: string, isDrawn: boolean, start: number, end: number) {
  const params = { path: { document }, query: { start, end } };
  if (!isDrawn) {
    const { length, blocks } = unwrap(await server.GET("/api/documents/{document}/blocks", { params }));
    return { length, width: 0, items: blocks.map(makeTextItem) };
  }
  const found = unwrap(await server.GET("/api/documents/{document}/drawing", { params }));
  const drawn = (found.drawings as DrawnBlock[]).map(makeDrawnItem);
  const items = [...drawn, ...found.blocks.map(makeTextItem)].sort((one, other) => one.start - other.start);
  return { length: found.length, width: found.width, items };
}

function makeTextItem(block: Block): TextItem {
  return { start: block.start, end: block.end, block, drawing: null };
}

function makeDrawnItem(drawing: DrawnBlock): TextItem {
  return { start: drawing.start, end: drawing.end, block: null, drawing };
}
