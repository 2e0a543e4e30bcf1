/** Find the characters of a Markdown text node in its source. */

const ENTITY = /&(#[xX][\da-fA-F]{1,6}|#\d{1,7}|[\da-zA-Z]{1,31});/y;
const ESCAPABLE = /[!-/:-@[-`{-~]/;

/**
 * Return the index in `source` for each unit of `value`, and one more for the end of the last.
 *
 * Escapes and entities are one character of the value and several of the source. Quote marks and spaces at the start of
 * a line are in the source only.
 */
export function findSourceOffsets(source: string, value: string): number[] {
  const places: number[] = [];
  let at = 0;
  while (places.length < value.length) {
    const expected = value[places.length] ?? "";
    const entity = readEntity(source, at, expected);
    if (entity) {
      const units = countUnits(source, at + entity.length, value, places.length);
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

/** Read the entity at this position if it was decoded; unknown names are left as they are. */
function readEntity(source: string, at: number, expected: string): string {
  if (source[at] !== "&") return "";
  ENTITY.lastIndex = at;
  const [whole = "", name = ""] = ENTITY.exec(source) ?? [];
  if (!whole || expected !== "&") return whole;
  return /^(amp|#0*38|#x0*26)$/i.test(name) ? whole : "";
}

/** Count the units that an entity became: two for an astral character, and for the few that are two characters. */
function countUnits(source: string, after: number, value: string, place: number): 1 | 2 {
  if (/[\ud800-\udbff]/.test(value[place] ?? "")) return 2;
  const next = source[after] ?? "";
  const isPlain = next !== "" && next !== "&" && next !== "\\";
  return isPlain && value[place + 1] !== next && value[place + 2] === next ? 2 : 1;
}
