/** What we add to Markdown's own nodes: sentences, the citations after them, and what the sources say instead. */
import type { Paragraph, PhrasingContent, Text } from "mdast";

/** A stretch of one sentence; it is drawn as a span. */
export interface SentenceNode {
  type: "sentence";
  position?: Paragraph["position"];
  children: PhrasingContent[];
  data: { hName: "span"; hProperties: { className: string; dataSentence: number; dataForm: string } };
}

/** Words of a sentence that its sources do not support. */
export interface LooseNode {
  type: "loose";
  position?: Paragraph["position"];
  children: [Text];
  data: { hName: "u"; hProperties: { className: string } };
}

/** A sentence's last word with its citations, on one line. */
export interface KeptNode {
  type: "kept";
  position?: Paragraph["position"];
  children: PhrasingContent[];
  data: { hName: "span"; hProperties: { className: string } };
}

/** A citation of a sentence, 0 for one that has none and should; it is drawn by whoever draws `cite`. */
export interface PinNode {
  type: "pin";
  position?: Paragraph["position"];
  children: [];
  data: { hName: "cite"; hProperties: { dataSentence: number; dataN: number } };
}

/** What is to be said at the end of a block of these sentences; it is drawn by whoever draws `small`. */
export interface SaysNode {
  type: "says";
  position?: Paragraph["position"];
  children: [];
  data: { hName: "small"; hProperties: { dataSentences: string } };
}

/** A row of a table that says it, below the row of the sentence. */
export interface SaysRowNode {
  type: "saysRow";
  position?: Paragraph["position"];
  children: [SaysCellNode];
  data: { hName: "tr"; hProperties: { className: string } };
}

interface SaysCellNode {
  type: "saysCell";
  position?: Paragraph["position"];
  children: [SaysNode];
  data: { hName: "td"; hProperties: { colSpan: number } };
}

declare module "mdast" {
  interface PhrasingContentMap {
    sentence: SentenceNode;
    loose: LooseNode;
    kept: KeptNode;
    pin: PinNode;
    says: SaysNode;
  }
  interface TableContentMap {
    saysRow: SaysRowNode;
  }
  interface RootContentMap {
    sentence: SentenceNode;
    loose: LooseNode;
    kept: KeptNode;
    pin: PinNode;
    says: SaysNode;
    saysRow: SaysRowNode;
    saysCell: SaysCellNode;
  }
}
