/** The source that is open beside the conversation, and its marks. Answers change it, the viewer shows it. */
import type { Kind, PageBoxes, TableRow } from "../api/types";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";

export type Tone = "pin" | "high" | "medium" | "low";

/** A range of characters of a document, end exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** A mark in a source. While it is chosen, the `passage` around it and the `heads` of its table are highlighted too. */
export interface Mark {
  key: string;
  document: string;
  title: string;
  kind: Kind | null;
  tone: Tone;
  n: number | null;
  page: number | null;
  /** The number printed on its page, or "slide 2"; "" if it is `page`. */
  label: string;
  start: number | null;
  end: number | null;
  /** The lines of a project's file, and its path in the project; "" for any other document. */
  lines?: [number, number] | null;
  path?: string;
  /** Further ranges of the mark; the first one is from `start` to `end`. */
  further?: TextRange[];
  boxes: PageBoxes[];
  heads?: PageBoxes[];
  quote: string;
  /** Of rows of a table: their cells under their heads. */
  rows?: TableRow[];
  passage: TextRange | null;
}

/** A file of a project by its path in it. The path is "" where none is chosen yet. */
export interface ProjectPath {
  project: string;
  path: string;
}

/**
 * The document or the project's file that is shown, and the position in it. `request` changes with every action, so
 * that the same can be requested twice.
 */
export interface ViewerState {
  document: string | null;
  /** A file as it is on disk now; null while a document is shown. */
  file: ProjectPath | null;
  page: number | null;
  chosenKey: string | null;
  marks: Mark[];
  request: number;
  isOpen: boolean;
}

const EMPTY: ViewerState = {
  document: null,
  file: null,
  page: null,
  chosenKey: null,
  marks: [],
  request: 0,
  isOpen: false,
};

export const viewerStore = createStore<ViewerState>(EMPTY);

/** Replace the marks; the open document stays open. */
export function setMarks(marks: Mark[]): void {
  viewerStore.set((now) => ({ ...now, marks }));
}

/** Open the document of a mark at the mark. */
export function openMark(mark: Mark): void {
  viewerStore.set((now) => ({
    ...now,
    document: mark.document,
    file: null,
    page: mark.page,
    chosenKey: mark.key,
    request: now.request + 1,
    isOpen: true,
    marks: now.marks.some((each) => each.key === mark.key) ? now.marks : [...now.marks, mark],
  }));
}

/** The beginning of the keys of marks that belong to no answer: passages that were found by a search. */
export const FOUND_MARK = "found:";

/** A passage that a search has found. */
export interface FoundPlace extends TextRange {
  document: string;
  title: string;
  kind: Kind;
  page: number | null;
  label: string;
  text: string;
}

/** Open a document at a passage that a search has found. */
export function openFoundPassage({ document, title, kind, page, label, start, end, text }: FoundPlace): void {
  const key = `${FOUND_MARK}${document}-${start}`;
  const place = { document, title, kind, page, label, start, end };
  openMark({ ...place, key, tone: "pin", n: null, boxes: [], quote: text, passage: null });
}

/** Open a document, perhaps at a page. */
export function openDocument(document: string, page: number | null = null): void {
  openInViewer({ document, file: null, page });
}

/** Open a file of a project as it is on disk, or the project's files to choose one. */
export function openFile(project: string, path = ""): void {
  openInViewer({ document: null, file: { project, path }, page: null });
}

function openInViewer(shown: Pick<ViewerState, "document" | "file" | "page">): void {
  viewerStore.set((now) => ({ ...now, ...shown, chosenKey: null, request: now.request + 1, isOpen: true }));
}

/** Close the viewer; its marks stay. */
export function closeViewer(): void {
  viewerStore.set((now) => ({ ...now, isOpen: false }));
}

/** Close the document and remove its marks, for another conversation. */
export function clearViewer(): void {
  viewerStore.set(EMPTY);
}
onPersonGone(clearViewer);

/** Open the next mark (1) or the previous one (-1) in the order of the conversation, in whichever document. */
export function stepMark(by: 1 | -1): void {
  const { marks, chosenKey: chosen } = viewerStore.get();
  const place = marks.findIndex((each) => each.key === chosen);
  const mark = place < 0 ? marks.at(by > 0 ? 0 : -1) : marks.at((place + by + marks.length) % marks.length);
  if (mark) openMark(mark);
}
