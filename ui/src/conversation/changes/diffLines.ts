/** The lines of a unified diff, with their numbers before and after. */

/** A line of a diff. `before` and `after` are its numbers in the file, from 1, where it is in it. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  before: number | null;
  after: number | null;
  /** The file ends here without a line end. */
  isOpen: boolean;
}

/** Consecutive lines of a diff. `heading` is the function or section that the diff names for them. */
export interface Hunk {
  heading: string;
  lines: DiffLine[];
}

export interface Diff {
  hunks: Hunk[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const KINDS: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed", " ": "same", "": "same" };
const OPEN_END = "\\";

/**
 * Parse a unified diff. Its hunks say how many lines they have, so a line of the file that looks like a header of the
 * diff is read as a line.
 */
export function parseDiff(text: string): Diff {
  const hunks: Hunk[] = [];
  let [before, after, leftBefore, leftAfter] = [0, 0, 0, 0];
  for (const line of text.split("\n")) {
    const lines = hunks.at(-1)?.lines;
    if (lines && line.startsWith(OPEN_END)) {
      const last = lines.at(-1);
      if (last) last.isOpen = true;
    } else if (lines && (leftBefore > 0 || leftAfter > 0)) {
      const kind = KINDS[line.charAt(0)] ?? "same";
      lines.push({
        kind,
        text: line.slice(1),
        before: kind === "added" ? null : before++,
        after: kind === "removed" ? null : after++,
        isOpen: false,
      });
      if (kind !== "added") leftBefore--;
      if (kind !== "removed") leftAfter--;
    } else {
      const found = HUNK.exec(line);
      if (!found) continue;
      const [, from, count = "1", to, size = "1", heading = ""] = found;
      [before, leftBefore, after, leftAfter] = [Number(from), Number(count), Number(to), Number(size)];
      hunks.push({ heading: heading.trim(), lines: [] });
    }
  }
  const all = hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine["kind"]) => all.filter((each) => each.kind === kind).length;
  return { hunks: showLineEnds(hunks, all), added: count("added"), removed: count("removed") };
}

/** Show the ends of lines where they differ; else they are not shown. */
function showLineEnds(hunks: Hunk[], all: readonly DiffLine[]): Hunk[] {
  const returns = all.filter(({ text }) => text.endsWith("\r")).length;
  if (!returns) return hunks;
  const sign = returns < all.length ? "␍" : "";
  const show = (line: DiffLine) => ({ ...line, text: line.text.replace(/\r$/, sign) });
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(show) }));
}

/** Keep the first lines of a diff; hunks without any are left out. */
export function takeLines(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= hunk.lines.length;
    return lines.length ? [{ ...hunk, lines }] : [];
  });
}
