/** Colours for code; loaded when the first block is shown. */
import type { Root } from "hast";
import { common, createLowlight } from "lowlight";

const low = createLowlight(common);

/** Code as a tree of coloured pieces; none when its language is not known. */
export function highlighted(text: string, language: string): Root | null {
  return low.registered(language) ? low.highlight(language, text) : null;
}
