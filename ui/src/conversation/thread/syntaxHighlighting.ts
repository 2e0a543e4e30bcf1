/** Syntax highlighting, loaded with the first block of code. */
import type { Root } from "hast";
import { common, createLowlight } from "lowlight";

const low = createLowlight(common);

/** Parse code into a tree of highlighted parts; null if its language is not known. */
export function highlightCode(text: string, language: string): Root | null {
  return low.registered(language) ? low.highlight(language, text) : null;
}
