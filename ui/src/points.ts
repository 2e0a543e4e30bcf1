/** The server counts characters (code points), JavaScript counts UTF-16 units: here one becomes the other. */

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/;

/** The index in `text` of its character number `point`. */
export function unitAt(text: string, point: number): number {
  if (!ASTRAL.test(text)) return Math.min(point, text.length);
  let unit = 0;
  for (let left = point; left > 0 && unit < text.length; left--) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** How many characters `text` has before index `unit`. */
export function pointAt(text: string, unit: number): number {
  const before = text.slice(0, unit);
  return ASTRAL.test(before) ? [...before].length : before.length;
}

/** The same for many indexes of one text, which is read once. */
export function pointsOf(text: string): (unit: number) => number {
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
