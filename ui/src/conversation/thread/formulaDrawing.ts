/** KaTeX and its style sheet, loaded with the first formula. */
import katex from "katex";
import "katex/dist/katex.min.css";

/**
 * Draw a formula into an element; return false if it is not valid LaTeX. Nothing is loaded and nothing is linked from
 * it. The nodes are made one by one: the page allows no inline style in HTML.
 */
export function drawFormula(tex: string, isDisplay: boolean, element: HTMLElement): boolean {
  try {
    katex.render(tex, element, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      strict: "ignore",
      maxSize: 20,
      maxExpand: 500,
    });
    return true;
  } catch {
    return false;
  }
}
