"""Read the table rows of a document's text, with their column heads and the note on unit and scale."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.proof.row_groups import RowGroups
from pincite.proof.table_cells import (
    FOOTNOTE,
    PERIOD,
    TableLine,
    count_columns,
    find_note,
    is_blank_data,
    is_data,
    is_figure,
    is_grid,
    is_note,
    is_years,
    list_continued,
    list_values,
    replace_bars,
    split_lines,
)
from pincite.proof.table_heads import find_spanning, match_columns, name_columns, name_label_column, name_labels
from pincite.reading.indents import TOTAL
from pincite.reading.merged_labels import MERGED
from pincite.types import NON_CONTENT_KINDS, Block, Cell, Row, Table

Read = Callable[[int, int], str]

_LONGEST = 100_000  # characters of one block that are read
_ABOVE = 500  # characters above a table that may hold its heads or its note
_BLOCKS_ABOVE = 4
_FURNITURE = 8  # headers, footers and short lines between two pages of one table
_SHORT = 90  # characters of a line above a table that may be a head
_MERGED_BLOCKS = 250  # blocks of a long table that one cell is merged over
_FEW = 6  # leading rows without figures that may be heads


@dataclass(frozen=True, slots=True)
class _TableSection:
    """Head lines and the lines that stand under them."""

    heads: tuple[TableLine, ...]
    lines: tuple[TableLine, ...]


def find_tables(text: str, blocks: Sequence[Block], start: int, end: int) -> tuple[Table, ...]:
    """Return the rows of tables that touch the text from start to end; their heads may stand before it."""
    return read_tables(lambda first, last: text[first:last], blocks, start, end)


def read_tables(read: Read, blocks: Sequence[Block], start: int, end: int) -> tuple[Table, ...]:
    """Do as `find_tables`, with a function that reads a stretch of the text, so that the rest is never loaded."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, key=lambda block: block.start)
    found: list[Table] = []
    for i in range(first, last):
        if blocks[i].kind in ("table", "paragraph", "list"):
            found.extend(_read_block_tables(lambda a, b: replace_bars(read(a, b)), blocks, i, start, end))
    return tuple(found)


def describe_row(table: Table, row: Row) -> str:
    """Write a row with its heads: "Net revenue | 2015: 3,991 | 2014: 5,506 (in millions of dollars)"."""
    cells = [f"{cell.head}: {cell.text}" if cell.head else cell.text for cell in row.cells if cell.text]
    note = find_row_note(table, row)
    return " | ".join(part for part in (row.label, *cells) if part) + (f" ({note})" if note else "")


def find_row_note(table: Table, row: Row) -> str:
    """Return the note of a row's table; empty if a head of the row has it."""
    return "" if any(table.note in cell.head for cell in row.cells) else table.note


def _read_block_tables(read: Read, blocks: Sequence[Block], i: int, start: int, end: int) -> Iterator[Table]:
    block = blocks[i]
    text = read(block.start, min(block.end, block.start + _LONGEST))
    if "\t" not in text:
        return
    lines = split_lines(text, block.start)
    if block.kind != "table" and not any(is_data(line) for line in lines):
        return
    grid = is_grid(text)
    above: tuple[TableLine, ...] | None = None
    sections = list(_split_sections(lines))
    titles = {name_labels(section.heads, count_columns(section.lines)) for section in sections} - {""}
    for section in sections:
        heads = section.heads
        outer: tuple[TableLine, ...] = ()
        columns = count_columns(section.lines)
        if above is None:
            above = _read_lines_above(read, blocks, i)
            outer = above
            if not _has_columns(heads):
                inherited, origin = _find_inherited_heads(read, blocks, i, columns)
                heads = (*inherited, *heads)
                if inherited and blocks[origin].kind == "table":
                    above = (*_read_lines_above(read, blocks, origin), *above)
        # The head above the labels names their column. It names rows only if the parts of a table have different heads.
        title = name_labels(heads, columns) if len(titles) > 1 else ""
        merged = _find_merged_cells(read, blocks, i, lines, section.lines)
        rows = tuple(_make_rows(section.lines, heads, outer, columns, grid, title, merged))
        inside = tuple(row for row in rows if row.start < end and row.end > start)
        if inside:
            spanning = find_spanning(outer, heads)
            stretches = sorted({(line.start, line.end) for line in (*spanning, *heads)})
            note = _find_table_note(heads, section.lines, above)
            named = [line for line in spanning if not _is_heading(blocks, i, line)]
            yield Table(inside, tuple(stretches), note, _read_only_head((*named, *heads)), name_label_column(heads))


def _is_heading(blocks: Sequence[Block], i: int, line: TableLine) -> bool:
    """Return whether a line above block i is a heading of the document, such as the name of a sheet."""
    above = blocks[max(i - _BLOCKS_ABOVE, 0) : i]
    return any(block.kind == "heading" and block.start <= line.start < block.end for block in above)


def _read_only_head(heads: Sequence[TableLine]) -> tuple[str, ...]:
    """Return the cells of the head row if there is only one."""
    return tuple(piece.text.strip() for piece in heads[0].pieces) if len(heads) == 1 else ()


def _split_sections(lines: Sequence[TableLine]) -> Iterator[_TableSection]:
    """Cut a block where heads begin anew."""
    wide = [line for line in lines if len(line.pieces) > 1]
    figures = sum(is_data(line) for line in wide)
    # Heads above one row of figures have no labels.
    labelled = sum(bool(line.pieces[0].text.strip()) for line in wide)
    if not figures or figures * 3 < labelled:
        # A table of words: only its first row can be a head.
        first = next((i for i, line in enumerate(lines) if len(line.pieces) > 1), len(lines))
        is_head = len(wide) > 1 and not is_data(lines[first])
        cut = first + 1 if is_head else 0
        yield _TableSection(tuple(lines[:cut]), tuple(lines[cut:]))
        return
    runs = list(_group_lines(lines))
    heads: tuple[TableLine, ...] = ()
    body: list[TableLine] = []
    for n, (data, run) in enumerate(runs):
        below = count_columns(runs[n + 1][1]) if n + 1 < len(runs) else 0
        cut = 0 if data else _count_head_lines(run, n == 0, below)
        if cut:
            if body:
                yield _TableSection(heads, tuple(body))
            heads, body = tuple(run[:cut]), list(run[cut:])
        else:
            body.extend(run)
    yield _TableSection(heads, tuple(body))


def _group_lines(lines: Sequence[TableLine]) -> Iterator[tuple[bool, list[TableLine]]]:
    """Yield lines with figures and lines without, in turn."""
    run: list[TableLine] = []
    kind = False
    for line in lines:
        data = (is_data(line) and not is_years(line)) or is_blank_data(line)
        if run and data != kind:
            yield kind, run
            run = []
        kind = data
        run.append(line)
    if run:
        yield kind, run


def _count_head_lines(run: Sequence[TableLine], first: bool, columns: int) -> int:
    """Return how many lines of a run without figures are heads; the lines behind them are labels of rows."""
    wide = [k for k, line in enumerate(run) if len(line.pieces) > 1 or is_years(line)]
    dated = any(PERIOD.search(line.text) for line in run)
    # Between rows, a line with a label is a row of words; heads have no label.
    bare = len(wide) > 1 and all(run[k].filled <= columns for k in wide)
    if not wide or not (first or dated or bare):
        # Lines of one cell name periods or units before the first figures, and the rows below them otherwise.
        named = [k for k, line in enumerate(run) if PERIOD.search(line.text) or find_note(line.text)]
        return named[-1] + 1 if first and named else 0
    if sum(bool(run[k].pieces[0].text.strip()) for k in wide) > _FEW:
        return wide[0] + 1
    # Of two lines with a label and every other cell, the second is a row of words, unless it gives periods or units.
    full = [k for k in wide if run[k].filled == columns + 1 and run[k].pieces[0].text.strip()]
    second = run[full[1]] if len(full) > 1 and columns > 1 else None
    is_row = second and not (PERIOD.search(second.text) or is_years(second) or _gives_units(second))
    return full[1] if is_row else wide[-1] + 1


def _gives_units(line: TableLine) -> bool:
    """Return whether the cells of a line give units or scales, or all say the same: "€ million", "millions"."""
    cells = [piece.text.strip() for piece in line.pieces[1:] if piece.text.strip()]
    return bool(find_note(line.text)) or len(set(cells)) < len(cells) or any(find_note(f"({cell})") for cell in cells)


def _has_columns(heads: Iterable[TableLine]) -> bool:
    return any(len(line.pieces) > 1 or is_years(line) for line in heads)


def _read_lines_above(read: Read, blocks: Sequence[Block], i: int) -> tuple[TableLine, ...]:
    """Return the lines just above a table that are no rows of another one."""
    found: list[TableLine] = []
    budget, floor = _ABOVE, max(i - _BLOCKS_ABOVE, 0)
    for k in range(i - 1, floor - 1, -1):
        block = blocks[k]
        if block.kind in NON_CONTENT_KINDS:
            continue
        if block.kind == "table" or budget <= 0:
            break
        begin = max(block.start, block.end - budget)
        text = read(begin, block.end)
        budget -= len(text)
        # A line of prose may have figures alone: "29, 2022."
        lines = [line for line in split_lines(text, begin) if not is_data(line) or line.text.endswith(".")]
        found = [*lines, *found]
    return tuple(found)


def _find_inherited_heads(
    read: Read, blocks: Sequence[Block], i: int, columns: int
) -> tuple[tuple[TableLine, ...], int]:
    """Return the heads of a table that continues in block i, and their block: above a gap, or on the page before."""
    k, skipped = i - 1, 0
    while k >= 0 and skipped <= _FURNITURE:
        block = blocks[k]
        if block.kind == "table":
            # Long tables are cut into blocks with a line break between them: the heads stand in the first.
            while k > 0 and blocks[k - 1].kind == "table" and blocks[k].start - blocks[k - 1].end == 1:
                k -= 1
            return _find_heads(read, blocks[k], columns, beside=skipped == 0), k
        text = read(block.start, min(block.end, block.start + _ABOVE))
        if block.kind not in NON_CONTENT_KINDS:
            lines = split_lines(text, block.start)
            wide = [line for line in lines if len(line.pieces) > 1 or is_years(line)]
            if wide and not any(is_data(line) for line in wide):
                return tuple(wide), k
            if len(text) > 2 * _SHORT:
                break
        skipped += 1
        k -= 1
    return (), i


def _find_heads(read: Read, block: Block, columns: int, beside: bool) -> tuple[TableLine, ...]:
    """Return the heads that a table's block has for rows with so many columns behind it."""
    lines = split_lines(read(block.start, min(block.end, block.start + _LONGEST)), block.start)
    *_, last = [_TableSection((), ()), *_split_sections(lines)]
    tail = last.lines[-1:]
    if beside and tail and not is_data(tail[0]) and _has_columns(tail):
        return tail
    if not last.lines:
        return last.heads if beside else ()
    return last.heads if count_columns(last.lines) == columns else ()


def _find_table_note(heads: Sequence[TableLine], lines: Sequence[TableLine], above: Sequence[TableLine]) -> str:
    own = [" ".join(line.text for line in heads)]
    own += [line.pieces[0].text for line in lines[:3] if len(line.pieces) == 1]
    nearest = " ".join(line.text for line in above)
    return next((note for text in own if (note := find_note(text))), "") or _find_last_note(nearest)


def _find_last_note(text: str) -> str:
    """Return the note that stands nearest to the end of a text."""
    last = ""
    for _ in range(4):
        note = find_note(text)
        if not note:
            break
        last = note
        text = text.partition(note.split()[-1])[2]
    return last


def _make_rows(
    lines: Sequence[TableLine],
    heads: Sequence[TableLine],
    above: Sequence[TableLine],
    columns: int,
    grid: bool,
    title: str,
    merged: Mapping[int, str],
) -> Iterator[Row]:
    above_row = dict(merged)  # the words of each column, which its merged cells continue
    full_label = FOOTNOTE.sub("", above_row.get(0, ""))
    names = name_columns(heads, find_spanning(above, heads), columns, grid)
    group = [title] if title else []
    waiting: list[TableLine] = []
    groups = RowGroups(_measure_indent(line) for line in lines if line.pieces[0].text.strip())
    for line in lines:
        is_below_label = line.pieces[0].text == MERGED
        values = tuple(_continue_cells(line, list_values(line), above_row))
        is_alone = line.filled == 1 and not any(value.is_continued for value in values)
        if is_alone and line.pieces[0].text.strip() and not is_figure(line.pieces[0].text):
            if not is_note(line.text):
                waiting.append(line)
            continue
        label = "" if len(values) == len(line.pieces) else FOOTNOTE.sub("", line.pieces[0].text).strip()
        first = line
        if waiting:
            while waiting and _is_wrapped(waiting[-1].text, label):
                first = waiting.pop()
                label = f"{first.text} {label}".strip()
            if waiting and groups.is_indented:
                for indent, name in _join_wrapped(waiting):
                    groups.find_parents(indent, FOOTNOTE.sub("", name).rstrip(" :"))
            elif waiting:
                named = FOOTNOTE.sub("", " ".join(each.text for each in waiting)).rstrip(" :")
                group = [title, named] if title else [named]
            waiting = []
        if len(values) == columns + 1 and re.fullmatch(r"\(?(?:\d{1,2}|[a-z])\)", values[0].text):
            values = values[1:]  # a footnote mark apart from its label
        known = match_columns(names, values, grid)
        cells = tuple(
            replace(cell, text=cell.text.strip(), head=head) for cell, head in zip(values, known, strict=True)
        )
        if label or not is_below_label:
            parents = groups.find_parents(_measure_indent(first), label) if label else []
            full_label = " › ".join(filter(None, (*group, *parents, label)))
        yield Row(first.start, line.end, full_label, cells)
        if TOTAL.match(label):
            group = [title] if title else []


def _continue_cells(line: TableLine, values: Sequence[Cell], above: dict[int, str]) -> Iterator[Cell]:
    """Yield the values of a line, those below a merged cell with its words; `above` keeps the words of each column."""
    if not line.grid:
        yield from values
        return
    for place, value in enumerate(values, len(line.pieces) - len(values)):
        if value.text == MERGED:
            yield replace(value, end=value.start, text=above.get(place, ""))
        else:
            above[place] = value.text
            yield value


def _find_merged_cells(
    read: Read, blocks: Sequence[Block], i: int, lines: Sequence[TableLine], section: Sequence[TableLine]
) -> dict[int, str]:
    """Return the words that are merged over the first of some lines of block i by column, from the lines above them."""
    wanted = set(list_continued(section[0])) if section else set()
    if not wanted:
        return {}
    found: dict[int, str] = {}
    above = [line for line in lines if line.start < section[0].start]
    k, first = i, max(i - _MERGED_BLOCKS, 0)
    while True:
        for line in reversed(above):
            texts = [piece.text for piece in line.pieces]
            cells = {place: texts[place] if place < len(texts) else "" for place in wanted}
            found |= {place: text for place, text in cells.items() if text != MERGED}
            wanted -= found.keys()
        if not wanted or k == first or blocks[k].start - blocks[k - 1].end != 1:
            return found
        k -= 1  # a long table goes on
        text = read(blocks[k].start, min(blocks[k].end, blocks[k].start + _LONGEST))
        above = [] if _is_covered(text, wanted) else split_lines(text, blocks[k].start)


def _is_covered(text: str, places: Collection[int]) -> bool:
    """Return whether every line of a table has the mark of a merged cell in these places."""
    last = max(places)
    rows = (line.split("\t", last + 1) for line in text.split("\n"))
    return all(len(row) > last and all(row[place] == MERGED for place in places) for row in rows)


def _is_wrapped(text: str, label: str) -> bool:
    """Return whether a line without figures is the beginning of the label below it, and not that of a group."""
    is_open = text.endswith((",", ";", "-")) or text.count("(") > text.count(")")
    return not label or label[:1].islower() or is_open


def _join_wrapped(lines: Sequence[TableLine]) -> list[tuple[int, str]]:
    """Return the indentation and the words of labels without figures; a wrapped one goes on in the next line."""
    found: list[tuple[int, str]] = []
    for line in lines:
        if found and _is_wrapped(found[-1][1], line.text):
            found[-1] = found[-1][0], f"{found[-1][1]} {line.text}"
        else:
            found.append((_measure_indent(line), line.text))
    return found


def _measure_indent(line: TableLine) -> int:
    """Return the number of spaces in front of a row."""
    return line.pieces[0].start - line.start
