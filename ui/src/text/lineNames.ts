/** Names of lines in the files of a project: "src/app.py:12–20", "lines 12–20". */
import type { Translate } from "../i18n";

/** Lines of a file, the first and the last from 1. `path` is "" for a document that is no file of a project. */
export interface FileLines {
  path: string;
  lines: readonly [number, number] | null;
}

/** Name lines of a file; the path alone without lines. */
export function nameLines({ path, lines }: FileLines): string {
  return lines ? `${path}:${joinLines([lines])}` : path;
}

/** Name lines by the file's name without its folders. */
export function nameLinesShortly({ path, lines }: FileLines): string {
  return nameLines({ path: path.slice(path.lastIndexOf("/") + 1), lines });
}

/** Write ranges of lines in order, each line once: "12–20, 34". */
export function joinLines(ranges: readonly (readonly [number, number])[]): string {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined.map(([first, last]) => (last > first ? `${first}–${last}` : `${first}`)).join(", ");
}

/** Name lines in words; "" without lines. */
export function titleLines(t: Translate, lines: FileLines["lines"]): string {
  if (!lines) return "";
  return t.count("pages.lines", lines[1] - lines[0] + 1, { lines: joinLines([lines]) });
}
