/** Find the formulas of a Markdown text, and hide them from the Markdown parser. */

/** A formula in LaTeX, and its position in the text with its signs. */
export interface Formula {
  tex: string;
  isDisplay: boolean;
  start: number;
  end: number;
}

export interface HiddenMath {
  /** The text, in which a placeholder of the same length stands for each formula. */
  text: string;
  formulas: Formula[];
}

/** Private-use characters, which Markdown leaves alone. */
const [OPEN, FILL, CLOSE] = ["\ue010", "\ue011", "\ue012"];
export const PLACEHOLDER = /\ue010\ue011*\ue012/g;
const HAS_PLACEHOLDER = /[\ue010-\ue012]/;
const MAX_LENGTH = 2000;
/** A line break inside a formula, but no blank line. */
const INSIDE = "(?:(?!\\n[ \\t>]*\\n)[^])";
/**
 * Code comes first: what is in it is no formula. Then `$$…$$`, `\[…\]`, `\(…\)` and `$…$`. A sign that follows or
 * precedes a word or a number, as in "US$5" or "$5", ends no formula.
 */
const PARTS = new RegExp(
  [
    "^ {0,3}(```+|~~~+)[^]*?(?:^ {0,3}\\1|$(?![^]))",
    "(?<!`)(`+)(?!`)[^]*?(?<!`)\\2(?!`)",
    `(?<!\\\\)\\$\\$(?<block>${INSIDE}+?)\\$\\$`,
    `(?<!\\\\)\\\\\\[(?<square>${INSIDE}+?)\\\\\\]`,
    `(?<!\\\\)\\\\\\((?<round>${INSIDE}+?)\\\\\\)`,
    "(?<![\\w$\\\\/])\\$(?<inline>(?![\\s$])(?:[^$\\n\\\\]|\\\\.)*?[^\\s\\\\$])\\$(?![\\w$])",
  ].join("|"),
  "gm",
);
const COMMAND = /\\[a-zA-Z]|[\^_=<>≈≠≤≥]/;
const LETTERS = /[a-zA-Z]{3,}/g;
const FUNCTIONS = new Set(["sin", "cos", "tan", "log", "exp", "max", "min", "lim", "det"]);
const PLAIN = /^[\w\s+\-*/(),.'!|:]+$/;

/** Replace the formulas of a text by placeholders of the same length, so that no position moves. */
export function hideMath(text: string): HiddenMath {
  if (!/\$|\\[([]/.test(text) || HAS_PLACEHOLDER.test(text)) return { text, formulas: [] };
  const formulas: Formula[] = [];
  const hidden = text.replace(PARTS, (whole, ...found) => {
    const groups = found.at(-1) as Record<string, string | undefined>;
    const start = found.at(-3) as number;
    const tex = groups.block ?? groups.square ?? groups.round ?? groups.inline;
    if (tex === undefined || !tex.trim() || tex.length > MAX_LENGTH) return whole;
    if (groups.inline !== undefined && !isFormula(tex)) return whole;
    const isDisplay = groups.block !== undefined || groups.square !== undefined;
    formulas.push({ tex: tex.trim(), isDisplay, start, end: start + whole.length });
    return OPEN + FILL.repeat(whole.length - 2) + CLOSE;
  });
  return { text: hidden, formulas };
}

/** Return whether the words between two dollar signs are a formula, and not a text between two prices. */
export function isFormula(tex: string): boolean {
  if (COMMAND.test(tex)) return true;
  if (!PLAIN.test(tex) || !/[a-zA-Z]/.test(tex)) return false;
  if ((tex.match(LETTERS) ?? []).some((word) => !FUNCTIONS.has(word))) return false;
  return !/\s/.test(tex) || /[+\-*/(|]/.test(tex);
}
