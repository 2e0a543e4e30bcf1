/**
 * Find positions for notes in a Markdown text: never in code, and in a table's row in its last cell.
 *
 * The server has the same code in `pincite/conversations/placing.py`; the tests of both read
 * `tests/conversations/placing_cases.json`.
 */

/**
 * A line of a text, end exclusive and without its break. `columns` counts the columns of the table that a row is in.
 */
interface Line {
  start: number;
  end: number;
  kind: "prose" | "blank" | "code" | "row";
  columns: number;
}

type Range = readonly [start: number, end: number];

const OPENING = /^(?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^([ \t>]*)(`{3,}|~{3,})((?:[ \t]*\[[0-9]+\])*)[ \t\r]*$/;
const RULE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const MARGIN = /^[ \t\r>]+|[ \t\r>]+$/g;
/** The end of a sentence after its last word: citation marks, the stop, closing quotes, the end of bold or italics. */
const TAIL = /(?: ?\[[0-9]+\]|[.!?…]|[ \u00a0\u202f]?»|[”’"')]|[*_]+(?![\p{L}\p{N}*_]))*/uy;

/** Finds positions in a text at which notes and marks may be inserted, in UTF-16 units. */
export class NotePositions {
  readonly #text: string;
  readonly #lines: Line[];
  readonly #spans: Range[];
  /** The fence of a code block that is not closed; empty if there is none. */
  readonly open: string;

  constructor(text: string) {
    this.#text = text;
    const { lines, fence } = splitLines(text);
    this.#lines = lines;
    this.open = fence;
    this.#spans = [...findCodeSpans(text, lines)];
  }

  /** Return where the note on a sentence may go; null if there is no such position. */
  note(start: number, end: number): number | null {
    let place = this.#tail(Math.min(Math.max(end, 0), this.#text.length));
    let number = this.#number(place);
    let line = this.#lines[number];
    if (line?.kind === "row") return this.#cell(line);
    while (line && (line.kind === "code" || line.kind === "blank")) {
      number -= 1;
      line = this.#lines[number];
      if (!line || line.end < start) return null;
      place = line.end;
    }
    if (!line) return null;
    if (line.kind === "row") return this.#cell(line);
    return this.#tail(this.#outside(this.#trimmed(place, line.start)));
  }

  /**
   * Return the best position of a citation mark and the text before it; null if it is in code.
   *
   * A mark after the end of a code block would keep the block open; one after a row would be a cell of its own.
   */
  mark(start: number): { place: number; before: string } | null {
    const line = this.#lines[this.#number(start)];
    if (line?.kind === "row") return { place: Math.min(start, this.#cell(line)), before: "" };
    if (line?.kind === "code") return this.#below(line, start);
    return this.#spans.some(([first, last]) => first < start && start < last) ? null : { place: start, before: "" };
  }

  #below(line: Line, start: number): { place: number; before: string } | null {
    const closing = CLOSING.exec(this.#text.slice(line.start, line.end));
    if (!closing) return null;
    const [, margin = "", fence = "", marks = ""] = closing;
    const first = line.start + margin.length + fence.length;
    if (start < first || start >= first + marks.length) return null;
    if (this.#text.slice(first, start).includes("[")) return { place: start, before: "" };
    return { place: start, before: `\n${margin.trimEnd()}\n${margin}` };
  }

  /** Return the end of the last visible cell of a row. */
  #cell(line: Line): number {
    const row = this.#text.slice(line.start, line.end);
    const pipes = findPipes(row);
    const lead = pipes.length ? row.slice(0, pipes[0]).replace(MARGIN, "") : "x";
    const ends = lead ? pipes : pipes.slice(1);
    const last = ends.at(-1);
    let end = ends[line.columns - 1] ?? row.length;
    // A row that is too short ends with its own last pipe.
    if (ends.length < line.columns && last !== undefined && !row.slice(last + 1).trim()) end = last;
    return this.#trimmed(line.start + end, line.start);
  }

  #trimmed(from: number, least: number): number {
    let place = from;
    while (place > least && " \t\r\\".includes(this.#text[place - 1] ?? "x")) place -= 1;
    return place;
  }

  #outside(place: number): number {
    return this.#spans.find(([first, last]) => first < place && place < last)?.[1] ?? place;
  }

  #tail(place: number): number {
    TAIL.lastIndex = place;
    return place + (TAIL.exec(this.#text)?.[0].length ?? 0);
  }

  #number(place: number): number {
    return this.#lines.findLastIndex((line) => line.start <= place);
  }
}

function splitLines(text: string): { lines: Line[]; fence: string } {
  const lines: Line[] = [];
  let [start, fence, columns] = [0, "", 0];
  for (const piece of text.split("\n")) {
    const end = start + piece.length;
    const opening = fence ? null : OPENING.exec(piece);
    const above = lines.at(-1);
    let kind: Line["kind"] = "prose";
    if (fence) {
      const closing = CLOSING.exec(piece)?.[2] ?? "";
      if (closing[0] === fence[0] && closing.length >= fence.length) fence = "";
      kind = "code";
    } else if (opening) {
      [fence, columns, kind] = [opening[1] ?? "", 0, "code"];
    } else if (!piece.replace(MARGIN, "")) {
      [columns, kind] = [0, "blank"];
    } else if (columns) {
      kind = "row";
    } else if (above?.kind === "prose" && isTableStart(text.slice(above.start, above.end), piece)) {
      columns = countCells(piece);
      [above.kind, above.columns] = ["row", columns];
      kind = "code"; // nothing may be inserted into the rule below the headers
    }
    lines.push({ start, end, kind, columns: kind === "row" ? columns : 0 });
    start = end + 1;
  }
  return { lines, fence };
}

/** Return whether these two lines start a table: as many headers as columns. */
function isTableStart(heads: string, rule: string): boolean {
  return rule.includes("|") && RULE.test(rule) && countCells(heads) === countCells(rule);
}

/** Count the cells of a row. */
function countCells(row: string): number {
  const bare = row.replace(MARGIN, "");
  const pipes = findPipes(bare);
  const leads = pipes[0] === 0 ? 1 : 0;
  const ends = pipes.length && bare.length > 1 && pipes.at(-1) === bare.length - 1 ? 1 : 0;
  return pipes.length + 1 - leads - ends;
}

/** Find the pipes of a row that are not escaped. */
function findPipes(row: string): number[] {
  return Array.from(row.matchAll(/\\.|(\|)/g))
    .filter((found) => found[1])
    .map((found) => found.index);
}

/** Find the code between backticks in each run of prose lines. */
function* findCodeSpans(text: string, lines: readonly Line[]): Generator<Range> {
  for (const [start, end] of findProseRuns(lines)) {
    const ticks = Array.from(text.slice(start, end).matchAll(/\\`|(`+)/g));
    for (let number = 0; number < ticks.length; number++) {
      const opening = ticks[number];
      if (!opening?.[1]) continue;
      // A backslash does not escape inside code: the backtick after it may close the code.
      const later = ticks.findIndex((each, at) => at > number && (each[1] ?? "`").length === opening[1]?.length);
      const closing = ticks[later];
      if (!closing) continue;
      yield [start + opening.index, start + closing.index + closing[0].length];
      number = later;
    }
  }
}

function* findProseRuns(lines: readonly Line[]): Generator<Range> {
  let start: number | null = null;
  let last = 0;
  for (const line of lines) {
    if (line.kind === "prose") {
      start ??= line.start;
      last = line.end;
    } else if (start !== null) {
      yield [start, last];
      start = null;
    }
  }
  if (start !== null) yield [start, last];
}
