/** What we add to Markdown's own nodes: sentences, and the citations after them. */
import type { Paragraph, PhrasingContent } from "mdast";

/** A stretch of one sentence; it is drawn as a span. */
export interface SentenceNode {
  type: "sentence";
  position?: Paragraph["position"];
  children: PhrasingContent[];
  data: { hName: "span"; hProperties: { className: string; dataSentence: number; dataSupport: string } };
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

declare module "mdast" {
  interface PhrasingContentMap {
    sentence: SentenceNode;
    kept: KeptNode;
    pin: PinNode;
  }
  interface RootContentMap {
    sentence: SentenceNode;
    kept: KeptNode;
    pin: PinNode;
  }
}
