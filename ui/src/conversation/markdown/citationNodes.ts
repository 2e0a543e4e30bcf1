/** Nodes that this plugin adds to a Markdown tree: sentences, their citations and notes. */
import type { Paragraph, PhrasingContent, Text } from "mdast";

/** A part of one sentence, rendered as a span. */
export interface SentenceNode {
  type: "sentence";
  position?: Paragraph["position"];
  children: PhrasingContent[];
  data: { hName: "span"; hProperties: { className: string; dataSentence: number; dataForm: string } };
}

/** Words of a sentence that its sources do not support. */
export interface UnsupportedNode {
  type: "unsupported";
  position?: Paragraph["position"];
  children: [Text];
  data: { hName: "u"; hProperties: { className: string } };
}

/** The last word of a sentence with its citations, on one line. */
export interface NoBreakNode {
  type: "noBreak";
  position?: Paragraph["position"];
  children: PhrasingContent[];
  data: { hName: "span"; hProperties: { className: string } };
}

/** A citation of a sentence, or 0 for a sentence that lacks one. The `cite` component renders it. */
export interface PinNode {
  type: "pin";
  position?: Paragraph["position"];
  children: [];
  data: { hName: "cite"; hProperties: { dataSentence: number; dataN: number } };
}

/** A note at the end of a block, about these sentences. The `small` component renders it. */
export interface NoteNode {
  type: "note";
  position?: Paragraph["position"];
  children: [];
  data: { hName: "small"; hProperties: { dataSentences: string } };
}

/** A table row with the note, below the row of its sentence. */
export interface NoteRowNode {
  type: "noteRow";
  position?: Paragraph["position"];
  children: [NoteCellNode];
  data: { hName: "tr"; hProperties: { className: string } };
}

interface NoteCellNode {
  type: "noteCell";
  position?: Paragraph["position"];
  children: [NoteNode];
  data: { hName: "td"; hProperties: { colSpan: number } };
}

declare module "mdast" {
  interface PhrasingContentMap {
    sentence: SentenceNode;
    unsupported: UnsupportedNode;
    noBreak: NoBreakNode;
    pin: PinNode;
    note: NoteNode;
  }
  interface TableContentMap {
    noteRow: NoteRowNode;
  }
  interface RootContentMap {
    sentence: SentenceNode;
    unsupported: UnsupportedNode;
    noBreak: NoBreakNode;
    pin: PinNode;
    note: NoteNode;
    noteRow: NoteRowNode;
    noteCell: NoteCellNode;
  }
}
