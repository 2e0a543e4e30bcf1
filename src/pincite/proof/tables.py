"""Table rows of a document's text, with their column heads, and the note on unit and scale."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.evidence.units import measure
from pincite.types import Block, Cell, Row, Table

Read = Callable[[int, int], str]

_LONGEST = 100_000  # characters of one block that are looked at
_ABOVE = 500  # characters above a table that may hold its heads or its note
_BLOCKS_ABOVE = 4
_FURNITURE = 8  # headers, footers and short lines between two pages of one table
_SHORT = 90  # characters of a line above a table that may be a head
_FEW = 6  # leading rows without figures that may be heads

_CURRENCY = r"(?:(?:US|CA|AU|C|A)?\$|€|£|¥|₹|EUR|USD|GBP|CHF|Rs\.?)"
_DIGITS = r"\d[\d,.\u00a0\u202f '’·]*"
_FIGURE = re.compile(
    rf"[<>~≈±+\-−–]?\s?{_CURRENCY}?\s?[(\[]?\s?[+\-−–]?\s?{_CURRENCY}?\s?(?:{_DIGITS}|\.\d+)\s?\)?\s?"
    rf"(?:%|‰|{_CURRENCY}|pts?|bps|pp|x|[kKMG](?:[€$]|[Wm]h?)?|bn|m|millions?|billions?|milliards?|milliers?)?\s?\)?\s?%?"
    r"(?:\s?\(\w\)|\s?[*†‡¹²³])*"
)
_WITH_UNIT = re.compile(r"[<>~≈±+\-−–]?\s?\d[\d,.\u00a0\u202f '’]*?\s?([^\W\d_]+[²³]?)")
_BLANK = re.compile(r"[—–\-−.*/\s]+|n\.?/?[acms]\.?|nm|nd|ns", re.IGNORECASE)
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:\s?[/–-]\s?(?:\d{1,2}|(?:19|20)\d\d))?(?:\s?\([\w*]\)|[*†EeAaPp])?")
_THOUSANDS = re.compile(r"\W*000(?:[,. ]000)?\W*")  # a scale in a head: "(000)"
_HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\bFY\s?['’]?\d\d")
_PERIOD = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|\b(?:jan|feb|fév|mar|apr|avr|may|mai|jun|juin|jul|juil|aug|aoû|sep|oct|nov|dec|déc)"
    r"[a-zéû]{0,7}\b",
    re.IGNORECASE,
)
_PREFIX_ONLY = re.compile(rf"{_CURRENCY}|\(")  # a dash alone is an empty cell
_BAR_ROW = re.compile(r"^\|.*\|[ ]*$", re.MULTILINE)  # of a Markdown table
_RULE_ROW = re.compile(r"[\s|:-]+")
_SUFFIX_ONLY = re.compile(r"[)\]%‰]+|\)\s?%|%\s?\)")
_TRAILING_SIGN = re.compile(rf"(?<=[\d)%—–-])\s*({_CURRENCY})$")
_FOOTNOTE = re.compile(r"(?:\s*(?:\((?:\d{1,2}|[a-z])\)|\[\d{1,2}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰*†‡]))+$")
_GROUPS = re.compile(r"\S+(?: \d{3})+")
_SCALE_WORD = r"thousands?|millions?|billions?|trillions?|milliers?|milliards?|[kKM]\s?[€$£]|[€$£]\s?[kKmMbB]n?\b"
_UNIT_WORD = rf"{_SCALE_WORD}|%|percent\b|pour\s?cent\b|pourcentages?|dollars?\b|euros?\b|cents?\b|{_CURRENCY}"
_NOTES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\((?P<note>[^()]{{0,80}}?\b(?:in|en)\s+(?:\w+\s+)?(?:{_UNIT_WORD})[^()]{{0,120}})\)",
        rf"\((?P<note>\s*(?:{_CURRENCY}\s?)?(?:in\s+|en\s+)?(?:{_UNIT_WORD})(?:[\s,][^()]{{0,60}})?)\)",
        rf"(?P<note>(?:\b(?:amounts|dollars|figures|montants|données|chiffres)\s+)?\b(?:in|en)\s+"
        rf"(?:{_CURRENCY}\s?)?(?:thousands|millions|billions|milliers|milliards)\b"
        rf"(?:\s+(?:of|de|d['’])\s*(?:U\.?S\.?\s+)?[\w$€£]+)?(?:,?\s+(?:except|sauf|hors)\b[^.;:()\n]{{0,80}})?)",
        rf"(?P<note>{_CURRENCY}\s?(?:in\s+)?(?:thousands?|millions?|billions?)\b)",
    )
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a table: its place and its pieces between tabs."""

    start: int
    end: int
    pieces: tuple[Cell, ...]

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces if piece.text)


@dataclass(frozen=True, slots=True)
class _Section:
    """Head lines and the lines that stand under them."""

    heads: tuple[_Line, ...]
    lines: tuple[_Line, ...]


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
            found.extend(_tables_of_block(lambda a, b: replace_bars(read(a, b)), blocks, i, start, end))
    return tuple(found)


def replace_bars(text: str) -> str:
    """Write the rows of a Markdown table with tabs in place of bars, every character at its place."""
    return _BAR_ROW.sub(lambda match: _replace_bars_of_row(match[0]), text) if "|" in text else text


def _replace_bars_of_row(row: str) -> str:
    if _RULE_ROW.fullmatch(row):
        return " " * len(row)
    end = row.rindex("|")
    cells = row[1:end]
    blank = len(cells) - len(cells.lstrip(" "))
    tabbed = cells.replace("|", "\t")
    # An empty cell is two tabs side by side, and an empty first cell a tab at the start of its row.
    tabbed = re.sub(r"\t( +)(?=\t)", r"\1\t", tabbed)
    tabbed = "\t" + " " * (blank + 1) + tabbed[blank + 1 :] if tabbed[blank : blank + 1] == "\t" else " " + tabbed
    return tabbed + " " * (len(row) - end)


def describe_row(table: Table, row: Row) -> str:
    """Write a row with its heads: "Net revenue | 2015: 3,991 | 2014: 5,506 (in millions of dollars)"."""
    cells = [f"{cell.head}: {cell.text}" if cell.head else cell.text for cell in row.cells]
    note = f" ({table.note})" if table.note else ""
    return " | ".join(part for part in (row.label, *cells) if part) + note


def is_figure(text: str) -> bool:
    """Tell whether a cell holds a figure that is not a year, with or without a unit: "72 TB"."""
    if _FIGURE.fullmatch(text):
        return not _YEAR.fullmatch(text) and not _THOUSANDS.fullmatch(text)
    with_unit = _WITH_UNIT.fullmatch(text)
    known = measure(with_unit[1]) if with_unit else None
    return known is not None and known[0] != "time"  # a time names a column more often: "1 year"


def is_blank(text: str) -> bool:
    """Tell whether a cell says that it has no figure: "—", "n/a"."""
    return bool(_BLANK.fullmatch(text))


def find_note(text: str) -> str:
    """Return the first words of a text that give unit and scale, such as "in millions of dollars"; "" without any."""
    matches = [match for form in _NOTES if (match := form.search(text))]
    first = min(matches, key=lambda match: match.start(), default=None)
    return " ".join(first["note"].split()) if first else ""


def _tables_of_block(read: Read, blocks: Sequence[Block], i: int, start: int, end: int) -> Iterator[Table]:
    block = blocks[i]
    text = read(block.start, min(block.end, block.start + _LONGEST))
    if "\t" not in text:
        return
    lines = _split_lines(text, block.start)
    if block.kind != "table" and not any(_is_data(line) for line in lines):
        return
    grid = _is_grid(text)
    above: tuple[_Line, ...] | None = None
    for section in _split_sections(lines):
        heads = section.heads
        outer: tuple[_Line, ...] = ()
        columns = _count_columns(section.lines)
        if above is None:
            above = _lines_above(read, blocks, i)
            outer = above
            if not _has_columns(heads):
                inherited, origin = _inherited_heads(read, blocks, i, columns)
                heads = (*inherited, *heads)
                if inherited and blocks[origin].kind == "table":
                    above = (*_lines_above(read, blocks, origin), *above)
        rows = tuple(_rows(section.lines, heads, outer, columns, grid))
        inside = tuple(row for row in rows if row.start < end and row.end > start)
        if inside:
            spanning = _spanning_above(outer, heads)
            stretches = sorted({(line.start, line.end) for line in (*spanning, *heads)})
            yield Table(inside, tuple(stretches), _find_table_note(heads, section.lines, above))


def _split_lines(text: str, offset: int) -> list[_Line]:
    lines, at = [], 0
    for raw in text.split("\n"):
        pieces = tuple(_split_cells(raw, offset + at)) if raw.strip() else ()
        if pieces:
            lines.append(_Line(offset + at, offset + at + len(raw), pieces))
        at += len(raw) + 1
    return lines


def _split_cells(line: str, offset: int) -> Iterator[Cell]:
    """Yield the cells of a line; a lone currency sign, percent sign or bracket joins its neighbour."""
    grid = "\t\t" in line or line.startswith("\t")
    cells: list[Cell] = []
    pending: tuple[int, str] | None = None
    at = 0
    for raw in line.split("\t"):
        begin = offset + at
        at += len(raw) + 1
        for start, piece in _split_piece(raw):
            start += begin
            end = start + len(piece)
            if pending:
                start, piece, pending = pending[0], pending[1] + piece, None
            sign = _TRAILING_SIGN.search(piece)
            if sign:
                pending = (end - len(sign[1]), sign[1])
                piece, end = piece[: sign.start()], end - (len(piece) - sign.start())
            if _PREFIX_ONLY.fullmatch(piece):
                pending = (start, piece)
            elif cells and cells[-1].text and _SUFFIX_ONLY.fullmatch(piece):
                cells[-1] = replace(cells[-1], end=end, text=cells[-1].text + piece)
            else:
                cells.append(Cell(start, end, " ".join(piece.split())))
        if grid and not raw.strip() and not pending:
            cells.append(Cell(begin, begin, ""))
    return iter(cells)


def _split_piece(raw: str) -> Iterator[tuple[int, str]]:
    """Yield the stripped words between two tabs with their place; several figures in a row are several pieces."""
    piece = raw.strip()
    start = len(raw) - len(raw.lstrip())
    if not piece:
        return
    parts = [(match.start(), match[0]) for match in re.finditer(rf"{_CURRENCY}\s?\(?{_DIGITS}\)?%?|\S+", piece)]
    several = len(parts) > 1 and all(
        (is_figure(part.strip()) and re.search(r"[,.%$€£()]", part)) or _PREFIX_ONLY.fullmatch(part)
        for _, part in parts
    )
    if not several or _GROUPS.fullmatch(piece):
        yield start, piece
        return
    for at, part in parts:
        yield start + at, part.strip()


def _is_grid(text: str) -> bool:
    """Tell whether empty cells are kept as such, so that the place of a cell names its column."""
    return "\t\t" in text or any(line.startswith("\t") for line in text.split("\n"))


def _is_data(line: _Line) -> bool:
    return len(line.pieces) > 1 and any(is_figure(piece.text) for piece in line.pieces[1:])


def _is_blank_data(line: _Line) -> bool:
    return len(line.pieces) > 1 and all(is_blank(piece.text) or not piece.text for piece in line.pieces[1:])


def _is_years(line: _Line) -> bool:
    """Tell whether a line names years: all of its cells do, a word in front aside."""
    cells = [piece.text for piece in line.pieces if piece.text]
    if len(cells) > 1 and not _YEAR.fullmatch(cells[0]):
        cells = cells[1:]
    return bool(cells) and all(_YEAR.fullmatch(cell) for cell in cells)


def _split_sections(lines: Sequence[_Line]) -> Iterator[_Section]:
    """Cut a block where heads begin anew."""
    wide = [line for line in lines if len(line.pieces) > 1]
    figures = sum(_is_data(line) for line in wide)
    if figures * 4 < len(wide):
        # A table of words: only its first row can be a head.
        first = next((i for i, line in enumerate(lines) if len(line.pieces) > 1), len(lines))
        is_head = len(wide) > 1 and not _is_data(lines[first])
        cut = first + 1 if is_head else 0
        yield _Section(tuple(lines[:cut]), tuple(lines[cut:]))
        return
    runs = list(_runs(lines))
    heads: tuple[_Line, ...] = ()
    body: list[_Line] = []
    for n, (data, run) in enumerate(runs):
        below = _count_columns(runs[n + 1][1]) if n + 1 < len(runs) else 0
        cut = 0 if data else _head_length(run, n == 0, below)
        if cut:
            if body:
                yield _Section(heads, tuple(body))
            heads, body = tuple(run[:cut]), list(run[cut:])
        else:
            body.extend(run)
    yield _Section(heads, tuple(body))


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[bool, list[_Line]]]:
    """Yield lines with figures and lines without, in turn."""
    run: list[_Line] = []
    kind = False
    for line in lines:
        data = (_is_data(line) and not _is_years(line)) or _is_blank_data(line)
        if run and data != kind:
            yield kind, run
            run = []
        kind = data
        run.append(line)
    if run:
        yield kind, run


def _head_length(run: Sequence[_Line], first: bool, columns: int) -> int:
    """How many lines of a run without figures are heads; the lines behind them are labels of rows."""
    wide = [k for k, line in enumerate(run) if len(line.pieces) > 1 or _is_years(line)]
    dated = any(_PERIOD.search(line.text) for line in run)
    # Between rows, a line with a label is a row of words; heads have no label.
    bare = len(wide) > 1 and all(len(run[k].pieces) <= columns for k in wide)
    if not wide or not (first or dated or bare):
        # Lines of one cell name periods or units before the first figures, and the rows below them otherwise.
        named = [k for k, line in enumerate(run) if _PERIOD.search(line.text) or find_note(line.text)]
        return named[-1] + 1 if first and named else 0
    return wide[-1] + 1 if len(wide) <= _FEW else wide[0] + 1


def _values(line: _Line) -> tuple[Cell, ...]:
    """The cells of a data line without its label."""
    first = line.pieces[0].text
    rest = line.pieces[1:]
    if not is_figure(first) and not (_YEAR.fullmatch(first) and len(rest) == 0):
        is_year_label = _YEAR.fullmatch(first) and not any(_YEAR.fullmatch(piece.text) for piece in rest)
        return rest if is_year_label or not _YEAR.fullmatch(first) else line.pieces
    return line.pieces


def _count_columns(lines: Sequence[_Line]) -> int:
    counts = Counter(len(_values(line)) for line in lines if len(line.pieces) > 1)
    best = max(counts.values(), default=0)
    # Rows that lack a cell are more frequent than rows with one too many.
    return max((count for count, times in counts.items() if 2 * times >= best), default=0)


def _has_columns(heads: Iterable[_Line]) -> bool:
    return any(len(line.pieces) > 1 or _is_years(line) for line in heads)


def _lines_above(read: Read, blocks: Sequence[Block], i: int) -> tuple[_Line, ...]:
    """The lines just above a table that are no rows of another one."""
    found: list[_Line] = []
    budget, floor = _ABOVE, max(i - _BLOCKS_ABOVE, 0)
    for k in range(i - 1, floor - 1, -1):
        block = blocks[k]
        if block.kind in ("header", "footer"):
            continue
        if block.kind == "table" or budget <= 0:
            break
        begin = max(block.start, block.end - budget)
        text = read(begin, block.end)
        budget -= len(text)
        lines = [line for line in _split_lines(text, begin) if not _is_data(line)]
        found = [*lines, *found]
    return tuple(found)


def _inherited_heads(read: Read, blocks: Sequence[Block], i: int, columns: int) -> tuple[tuple[_Line, ...], int]:
    """The heads of a table that goes on in block i, and the block they stand in: above a gap, or a page before."""
    k, skipped = i - 1, 0
    while k >= 0 and skipped <= _FURNITURE:
        block = blocks[k]
        if block.kind == "table":
            # Long tables are cut into blocks with a line break between them: the heads stand in the first.
            while k > 0 and blocks[k - 1].kind == "table" and blocks[k].start - blocks[k - 1].end == 1:
                k -= 1
            return _heads_for(read, blocks[k], columns, beside=skipped == 0), k
        text = read(block.start, min(block.end, block.start + _ABOVE))
        if block.kind not in ("header", "footer"):
            lines = _split_lines(text, block.start)
            wide = [line for line in lines if len(line.pieces) > 1 or _is_years(line)]
            if wide and not any(_is_data(line) for line in wide):
                return tuple(wide), k
            if len(text) > 2 * _SHORT:
                break
        skipped += 1
        k -= 1
    return (), i


def _heads_for(read: Read, block: Block, columns: int, beside: bool) -> tuple[_Line, ...]:
    """The heads that a table's block has for rows with so many columns behind it."""
    lines = _split_lines(read(block.start, min(block.end, block.start + _LONGEST)), block.start)
    *_, last = [_Section((), ()), *_split_sections(lines)]
    tail = last.lines[-1:]
    if beside and tail and not _is_data(tail[0]) and _has_columns(tail):
        return tail
    if not last.lines:
        return last.heads if beside else ()
    return last.heads if _count_columns(last.lines) == columns else ()


def _find_table_note(heads: Sequence[_Line], lines: Sequence[_Line], above: Sequence[_Line]) -> str:
    own = [" ".join(line.text for line in heads)]
    own += [line.pieces[0].text for line in lines[:3] if len(line.pieces) == 1]
    nearest = " ".join(line.text for line in above)
    return next((note for text in own if (note := find_note(text))), "") or _last_note(nearest)


def _last_note(text: str) -> str:
    """The note that stands nearest to the end of a text."""
    last = ""
    for _ in range(4):
        note = find_note(text)
        if not note:
            break
        last = note
        text = text.partition(note.split()[-1])[2]
    return last


def _spanning_above(above: Sequence[_Line], heads: Sequence[_Line]) -> tuple[_Line, ...]:
    """The last short line above a table that names a period, where the heads do not name another."""
    dated = any(_HAS_YEAR.search(line.text) for line in heads)
    for line in above[-3:][::-1]:
        text = line.text
        if len(text) > _SHORT or text.endswith((".", ";")):
            continue
        if _PERIOD.search(text) and not (dated and _HAS_YEAR.search(text)):
            return (line,)
    return ()


def _rows(
    lines: Sequence[_Line], heads: Sequence[_Line], above: Sequence[_Line], columns: int, grid: bool
) -> Iterator[Row]:
    names = _name_columns(heads, _spanning_above(above, heads), columns, grid)
    title = _name_labels(heads, columns)
    group = [title] if title else []
    waiting: list[_Line] = []
    for line in lines:
        if len(line.pieces) == 1 and not is_figure(line.pieces[0].text):
            waiting.append(line)
            continue
        values = _values(line)
        label = "" if len(values) == len(line.pieces) else _FOOTNOTE.sub("", line.pieces[0].text)
        start = line.start
        if waiting:
            wrapped = waiting[-1] if not label or label[:1].islower() else None
            if wrapped:
                label = f"{wrapped.text} {label}".strip()
                start = wrapped.start
                waiting.pop()
            if waiting:
                named = _FOOTNOTE.sub("", " ".join(each.text for each in waiting)).rstrip(" :")
                group = [title, named] if title else [named]
            waiting = []
        if len(values) == columns + 1 and re.fullmatch(r"\(?(?:\d{1,2}|[a-z])\)", values[0].text):
            values = values[1:]  # a footnote mark apart from its label
        known = _match_columns(names, values, grid)
        cells = tuple(replace(cell, head=head) for cell, head in zip(values, known, strict=True))
        yield Row(start, line.end, " › ".join((*group, label)) if label else " › ".join(group), cells)
        if re.match(r"(?:sub-?|sous-)?total", label, re.IGNORECASE):
            group = [title] if title else []


def _name_labels(heads: Sequence[_Line], columns: int) -> str:
    """The head above the labels, such as "GAAP results"; empty where it gives the unit or says nothing of the rows."""
    level = next((line.pieces for line in reversed(heads) if len(line.pieces) == columns + 1 and columns), ())
    text = level[0].text if level else ""
    figures = any(_HAS_YEAR.search(piece.text) for piece in level[1:])
    noted = find_note(text) or find_note(f"({text.strip('()')})")
    return _FOOTNOTE.sub("", text) if figures and text and not noted else ""


def _name_columns(heads: Sequence[_Line], spanning: Sequence[_Line], columns: int, grid: bool) -> list[str]:
    """One name for each column, from the head lines above it; an empty list where that is open."""
    levels = [[piece.text for piece in line.pieces] for line in heads]
    wide = [level for level in levels if len(level) > 1 or (_YEAR.fullmatch(level[0]) and columns == 1)]
    across = [line.text for line in spanning]
    across += [level[0] for level in levels if len(level) == 1 and level not in wide and _PERIOD.search(level[0])]
    if not wide:
        return [_tidy_head(across)] * columns if across and columns else []
    fitting = [level for level in wide if columns <= len(level) <= columns + 1]
    cut = wide.index(fitting[-1]) + 1 if fitting else len(wide)
    wide, lower = wide[:cut], wide[cut:]
    bottom = _drop_label_head(wide[-1], columns, grid)
    parts = [[name] for name in bottom]
    digits = any(re.search(r"\d", name) for name in bottom) or len(set(bottom)) < len(bottom)
    for level in reversed(wide[:-1]):
        upper = _drop_label_head(level, len(bottom), grid)
        if len(upper) == len(bottom):
            for part, name in zip(parts, upper, strict=True):
                part.insert(0, name)
        elif digits and 0 < len(upper) < len(bottom):
            for part, name in zip(parts, _spread(upper, bottom), strict=True):
                part.insert(0, name)
    for level in lower:
        for part, name in zip(reversed(parts), reversed(level), strict=False):
            part.append(name)
    dated = any(_HAS_YEAR.search(" ".join(part)) for part in parts)
    outer = [name for name in across if not (dated and _HAS_YEAR.search(name))]
    open_ended = any(name.endswith(",") for name in outer)  # "Year ended December 31," goes before years alone
    return [
        _tidy_head(part if dated and open_ended and not _HAS_YEAR.search(" ".join(part)) else [*outer, *part])
        for part in parts
    ]


def _drop_label_head(level: list[str], columns: int, grid: bool) -> list[str]:
    """The heads of a line without the head of the label column."""
    if grid or len(level) == columns + 1 or (level and find_note(f"({level[0].strip('()')})") and len(level) > 1):
        return level[1:]
    return level


def _spread(upper: list[str], bottom: list[str]) -> list[str]:
    """Heads that span several columns, one for each column.

    Heads below that repeat ("Amount | Share | Amount | Share | Change") tell how far each reaches; else they reach
    evenly, or the leftmost over what remains.
    """
    count = len(bottom)
    starts = [i for i, name in enumerate(bottom) if name == bottom[0]]
    width = starts[1] - starts[0] if len(starts) > 1 else 0
    if width and bottom[: width * len(starts)] == bottom[:width] * len(starts):
        reach = [width] * len(starts) + [1] * (count - width * len(starts))
        if len(reach) == len(upper):
            return [name for name, columns in zip(upper, reach, strict=True) for _ in range(columns)]
    if count % len(upper) == 0:
        return [name for name in upper for _ in range(count // len(upper))]
    return [upper[0]] * (count - len(upper)) + upper


def _tidy_head(parts: Iterable[str]) -> str:
    words = " ".join(part for part in parts if part)
    for form in _NOTES[:2]:
        words = form.sub("", words)
    return _FOOTNOTE.sub("", " ".join(words.split()))


def _match_columns(names: list[str], values: Sequence[Cell], grid: bool) -> list[str]:
    """The head of each cell; empty where it is open which column a cell stands in."""
    count = len(values)
    if len(names) == count:
        return names
    if grid:
        return (names + [""] * count)[:count]
    dated = [k for k, name in enumerate(names) if _HAS_YEAR.search(name)]
    if dated and len(dated) == count < len(names):
        return [names[k] for k in dated]
    if len(dated) > 1 and dated == list(range(len(names) - 1)) and count == len(names) + 1:
        return [*names, names[-1]]  # "2020 | 2019 | Change": the change as an amount and as a share
    return [""] * count
