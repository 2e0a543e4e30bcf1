/** Convert between code points, which the server counts, and UTF-16 units, which JavaScript counts. */

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/;

/** Return the UTF-16 index of the code point number `point`. */
export function toUtf16Index(text: string, point: number): number {
  if (!ASTRAL.test(text)) return Math.min(point, text.length);
  let unit = 0;
  for (let left = point; left > 0 && unit < text.length; left--) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** Return the number of code points before a UTF-16 index. */
export function toCodePointIndex(text: string, unit: number): number {
  const before = text.slice(0, unit);
  return ASTRAL.test(before) ? [...before].length : before.length;
}

/** Create the same conversion for many indexes of one text, which is read once. */
export function createCodePointIndex(text: string): (unit: number) => number {
  const ends = Array.from(text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g), ({ index }) => index + 2);
  return (unit) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= unit) low = middle + 1;
      else high = middle;
    }
    return Math.min(unit, text.length) - low;
  };
}
