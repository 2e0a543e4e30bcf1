/**
 * Where a note on a sentence may stand in a Markdown text: never in code, and in a table's row in its last cell.
 *
 * The server has the same in `pincite/conversations/placing.py`; the tests of both read
 * `tests/conversations/placing_cases.json`.
 */

/** A line of a text, end exclusive and without its break; `columns` are those of the table that a row is in. */
interface Line {
  start: number;
  end: number;
  kind: "prose" | "blank" | "code" | "row";
  columns: number;
}

type Stretch = readonly [start: number, end: number];

const OPENING = /^(?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^([ \t>]*)(`{3,}|~{3,})((?:[ \t]*\[[0-9]+\])*)[ \t\r]*$/;
const RULE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const MARGIN = /^[ \t\r>]+|[ \t\r>]+$/g;
/** What belongs to a sentence behind its last word: its marks, its stop, closing quotes, the end of bold or italics. */
const TAIL = /(?: ?\[[0-9]+\]|[.!?…]|[ \u00a0\u202f]?»|[”’"')]|[*_]+(?![\p{L}\p{N}*_]))*/uy;

/** The lines of one text, and the places in it at which something may be put, in UTF-16 units. */
export class Places {
  readonly #text: string;
  readonly #lines: Line[];
  readonly #spans: Stretch[];
  /** The fence of a code block that is not ended; empty where there is none. */
  readonly open: string;

  constructor(text: string) {
    this.#text = text;
    const { lines, fence } = linesOf(text);
    this.#lines = lines;
    this.open = fence;
    this.#spans = [...codeSpans(text, lines)];
  }

  /** Where the note on a sentence may stand; null where there is no such place. */
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
   * Where a mark of a citation stands best, and what goes before it; null where it stands in code.
   *
   * A mark behind the end of a code block would keep the block open, one behind a row would be a cell of its own.
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

  /** The end of the last cell of a row that is shown. */
  #cell(line: Line): number {
    const row = this.#text.slice(line.start, line.end);
    const pipes = pipesOf(row);
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

function linesOf(text: string): { lines: Line[]; fence: string } {
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
    } else if (above?.kind === "prose" && beginsTable(text.slice(above.start, above.end), piece)) {
      columns = cellsOf(piece);
      [above.kind, above.columns] = ["row", columns];
      kind = "code"; // nothing may be put into the rule under the heads
    }
    lines.push({ start, end, kind, columns: kind === "row" ? columns : 0 });
    start = end + 1;
  }
  return { lines, fence };
}

/** Whether these two lines begin a table: as many heads as columns. */
function beginsTable(heads: string, rule: string): boolean {
  return rule.includes("|") && RULE.test(rule) && cellsOf(heads) === cellsOf(rule);
}

/** How many cells a row has. */
function cellsOf(row: string): number {
  const bare = row.replace(MARGIN, "");
  const pipes = pipesOf(bare);
  const leads = pipes[0] === 0 ? 1 : 0;
  const ends = pipes.length && bare.length > 1 && pipes.at(-1) === bare.length - 1 ? 1 : 0;
  return pipes.length + 1 - leads - ends;
}

/** Where the pipes of a row stand that are not escaped. */
function pipesOf(row: string): number[] {
  return Array.from(row.matchAll(/\\.|(\|)/g))
    .filter((found) => found[1])
    .map((found) => found.index);
}

/** The stretches of code between backticks, in each run of lines of prose. */
function* codeSpans(text: string, lines: readonly Line[]): Generator<Stretch> {
  for (const [start, end] of runs(lines)) {
    const ticks = Array.from(text.slice(start, end).matchAll(/\\`|(`+)/g));
    for (let number = 0; number < ticks.length; number++) {
      const opening = ticks[number];
      if (!opening?.[1]) continue;
      // A backslash is no escape in code: the backtick behind it may end it.
      const later = ticks.findIndex((each, at) => at > number && (each[1] ?? "`").length === opening[1]?.length);
      const closing = ticks[later];
      if (!closing) continue;
      yield [start + opening.index, start + closing.index + closing[0].length];
      number = later;
    }
  }
}

function* runs(lines: readonly Line[]): Generator<Stretch> {
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
