/** Find the emphasis and the code in a line or paragraph of Markdown, so that its signs need not be shown. */

export type InlineStyle = "strong" | "em" | "code";

/** A part of a text: its styles, the outermost first, or a sign of Markdown, which is not shown. */
export interface InlinePart {
  text: string;
  /** In UTF-16 units. */
  at: number;
  styles: InlineStyle[];
  isSign: boolean;
}

/** Code comes first, since signs in it are none. A sign beside a blank, or "_" within a word, is no emphasis. */
const INLINE = new RegExp(
  [
    "(?<!`)(?<tick>`{1,3})(?!`)(?<code>[^`]{1,400})\\k<tick>(?!`)",
    "(?<!\\\\)(?<bold>\\*\\*)(?=[^\\s*])(?<strong>[^]{0,1000}?[^\\s\\\\])\\*\\*",
    "(?<![\\\\\\w])(?<bar>__)(?=[^\\s_])(?<heavy>[^]{0,1000}?[^\\s\\\\])__(?!\\w)",
    "(?<![\\\\*])(?<star>\\*)(?=[^\\s*])(?<em>[^*]{0,1000}?[^\\s*\\\\])\\*(?!\\*)",
    "(?<![\\\\\\w])(?<low>_)(?=[^\\s_])(?<light>[^_]{0,1000}?[^\\s_\\\\])_(?!\\w)",
  ].join("|"),
  "g",
);

/** Split a text at its emphasis and its code. The parts joined are the text. */
export function splitInline(text: string): InlinePart[] {
  if (!/[*_`]/.test(text)) return text ? [{ text, at: 0, styles: [], isSign: false }] : [];
  return splitStyled(text, 0, []);
}

function splitStyled(text: string, from: number, styles: InlineStyle[]): InlinePart[] {
  const parts: InlinePart[] = [];
  let at = 0;
  const add = (end: number, isSign = false) => {
    if (end > at) parts.push({ text: text.slice(at, end), at: from + at, styles, isSign });
    at = end;
  };
  for (const found of text.matchAll(INLINE)) {
    const { tick, code, bold, strong, bar, heavy, star, em, low, light } = found.groups ?? {};
    const sign = (tick ?? bold ?? bar ?? star ?? low ?? "").length;
    const inside = code ?? strong ?? heavy ?? em ?? light ?? "";
    const style = code !== undefined ? "code" : (strong ?? heavy) !== undefined ? "strong" : "em";
    add(found.index);
    add(found.index + sign, true);
    const inner: InlineStyle[] = [...styles, style];
    if (style === "code") parts.push({ text: inside, at: from + at, styles: inner, isSign: false });
    else parts.push(...splitStyled(inside, from + at, inner));
    at += inside.length;
    add(at + sign, true);
  }
  add(text.length);
  return parts;
}
