/** Show a kept thing by the components that show answers. */
import type { Turn } from "../conversation/turns";
import { FOUND_MARK, type Mark } from "../viewer/viewerStore";
import type { NotebookItem } from "./notebookStore";

/** Make an answer of a kept thing. The keys of its marks are those of passages that belong to no conversation. */
export function makeItemTurn(item: NotebookItem): Turn {
  return {
    ...{ id: `${FOUND_MARK}kept-${item.id}`, questionId: "", question: item.question, rewrittenQuestion: null },
    ...{ model: "", focus: "all", state: "done", text: item.text },
    sentences: item.sentences,
    citations: item.citations,
    ...{ repairs: [], evidence: [], steps: [], highlights: [], media: [], outline: [], passages: [], sent: [] },
    ...{ destination: null, changes: null, calls: [], results: [], usage: null, fault: null, answer: null },
  };
}

/** Find the words of a kept passage that answered, in its text; none if the text is not as it stands in the document. */
export function findLitWords({ text, citations: [pin] }: NotebookItem): [number, number][] {
  if (!pin || pin.end - pin.start !== [...text].length) return [];
  return pin.lit.map(([start, end]) => [start - pin.start, end - pin.start]);
}

/** Make the mark of a kept passage, which opens its source at exactly these words. */
export function makePassageMark(item: NotebookItem): Mark | null {
  const pin = item.citations[0];
  if (!pin) return null;
  const [first = { start: pin.start, end: pin.end }, ...further] = pin.lit.map(([start, end]) => ({
    start,
    end,
  }));
  const { document, title, kind, page, label, boxes, lines, path, quote, rows } = pin;
  return {
    ...{ key: `${FOUND_MARK}kept-${item.id}:1`, document, title, kind, page, label, boxes, lines, path, quote, rows },
    ...{ ...first, further, tone: "pin", n: null, passage: null },
  };
}
