/** Where the characters of a Markdown text node stand in its source. */

const ENTITY = /&(#[xX][\da-fA-F]{1,6}|#\d{1,7}|[\da-zA-Z]{1,31});/y;
const ESCAPABLE = /[!-/:-@[-`{-~]/;

/**
 * For each unit of `value` its index in `source`, and one more for where the last of them ends.
 *
 * Escapes and entities are one character of the value and several of the source; marks of a quote or spaces at a line's
 * beginning are in the source alone.
 */
export function aligned(source: string, value: string): number[] {
  const places: number[] = [];
  let at = 0;
  while (places.length < value.length) {
    const expected = value[places.length] ?? "";
    const entity = entityAt(source, at, expected);
    if (entity) {
      const units = unitsOf(source, at + entity.length, value, places.length);
      for (let unit = 0; unit < units; unit++) places.push(at);
      at += entity.length;
    } else if (source[at] === "\\" && ESCAPABLE.test(source[at + 1] ?? "")) {
      places.push(at);
      at += 2;
    } else if (source[at] === expected || at >= source.length || (source[at] === "\0" && expected === "\ufffd")) {
      places.push(Math.min(at, source.length));
      at += 1;
    } else {
      at += 1;
    }
  }
  places.push(Math.min(at, source.length));
  return places;
}

/** The entity that stands here and was decoded; names that mean nothing are left as they are. */
function entityAt(source: string, at: number, expected: string): string {
  if (source[at] !== "&") return "";
  ENTITY.lastIndex = at;
  const [whole = "", name = ""] = ENTITY.exec(source) ?? [];
  if (!whole || expected !== "&") return whole;
  return /^(amp|#0*38|#x0*26)$/i.test(name) ? whole : "";
}

/** How many units an entity became: two for an astral character and for the few that are two characters. */
function unitsOf(source: string, after: number, value: string, place: number): 1 | 2 {
  if (/[\ud800-\udbff]/.test(value[place] ?? "")) return 2;
  const next = source[after] ?? "";
  const isPlain = next !== "" && next !== "&" && next !== "\\";
  return isPlain && value[place + 1] !== next && value[place + 2] === next ? 2 : 1;
}
