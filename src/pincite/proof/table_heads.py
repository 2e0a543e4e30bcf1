"""Name the columns of a table from the head lines above it."""

import re
from collections.abc import Iterable, Sequence

from pincite.proof.table_cells import DAY, FOOTNOTE, HAS_YEAR, NOTES, PERIOD, YEAR, TableLine, find_note, is_note
from pincite.text.quantities import find_quantities
from pincite.text.units import look_up_unit
from pincite.types import Cell

_SHORT = 90  # characters of a line above a table that may be a head
_FEW_WORDS = 2  # besides the year in a line that names a period
_CAPTION = re.compile(r"(?:table|tableau|figure|fig\.|exhibit|annexe)\s+[\dA-Z][\w.-]{0,6}\s*[:.–—-]", re.IGNORECASE)


def find_spanning(above: Sequence[TableLine], heads: Sequence[TableLine]) -> tuple[TableLine, ...]:
    """Return the last short line above a table that names a period, where the heads do not name another."""
    dated = any(HAS_YEAR.search(line.text) for line in heads)
    below: TableLine | None = None  # a line of prose
    for line in above[-3:][::-1]:
        text = line.text
        goes_on = below is not None and line.end + 1 == below.start
        if len(text) > _SHORT or text.endswith((".", ";")) or goes_on:
            below = line
            continue
        if is_period(text) and not (dated and HAS_YEAR.search(text)):
            return (line,)
    return ()


def is_period(text: str) -> bool:
    """Tell whether a line names a period, such as "Year ended June 30," or "Fiscal 2023", and is no title with a year.

    It has a day, a quarter or a word of time, or it begins or ends with the year or month and has few other words.
    """
    if not PERIOD.search(text):
        return False
    words = re.findall(r"[^\W\d_]{2,}", PERIOD.sub("", text))
    if DAY.search(text) or any(_is_time(word) for word in words):
        return True
    is_outside = any(not re.search(r"\w", part) for part in (PERIOD.split(text, 1)[0], PERIOD.split(text)[-1]))
    quarters = any(quantity.kind == "quarter" for quantity in find_quantities(text))
    return quarters or (is_outside and len(words) <= _FEW_WORDS)


def _is_time(word: str) -> bool:
    known = look_up_unit(word)
    return known is not None and known[0] == "time"


def name_labels(heads: Sequence[TableLine], columns: int) -> str:
    """Return the head above the labels, such as "GAAP results"; empty if it gives the unit or is not about rows."""
    level = next((line.pieces for line in reversed(heads) if len(line.pieces) == columns + 1 and columns), ())
    text = level[0].text if level else ""
    figures = any(HAS_YEAR.search(piece.text) for piece in level[1:])
    noted = find_note(text) or find_note(f"({text.strip('()')})")
    return FOOTNOTE.sub("", text) if figures and text and not noted else ""


def name_label_column(heads: Sequence[TableLine]) -> str:
    """Return the caption in the head lines of a table, or else the head that the lines of a grid have above the labels.

    It is empty if more than one line has one.
    """
    caption = heads[: len(heads) - len(_drop_caption(heads))]
    if caption:
        return " ".join(line.text for line in caption)
    wide = [line for line in heads if len(line.pieces) > 1]
    named = [line.pieces[0].text for line in wide if line.pieces[0].text.strip()]
    is_grid = any(line.grid for line in wide)
    return _tidy_head(named) if is_grid and len(named) == 1 else ""


def name_columns(heads: Sequence[TableLine], spanning: Sequence[TableLine], columns: int, grid: bool) -> list[str]:
    """Return one name for each column, from the head lines above it; an empty list where that is ambiguous."""
    heads = _drop_caption(heads)
    if grid and any(line.grid for line in heads):
        return _name_grid(heads, spanning, columns)
    levels = [[piece.text for piece in line.pieces] for line in heads]
    wide = [level for level in levels if len(level) > 1 or (YEAR.fullmatch(level[0]) and columns == 1)]
    across = [line.text for line in spanning]
    across += [level[0] for level in levels if len(level) == 1 and level not in wide and is_period(level[0])]
    if not wide:
        return [_tidy_head(across)] * columns if across and columns else []
    fitting = [level for level in wide if columns <= len(level) <= columns + 1]
    cut = wide.index(fitting[-1]) + 1 if fitting else len(wide)
    wide, lower = wide[:cut], wide[cut:]
    bottom = _drop_label_head(wide[-1], columns, grid)
    if grid:  # a head that is merged downwards leaves no cell at the end of the rows below it
        bottom = bottom + [""] * (max(len(level) for level in wide) - 1 - len(bottom))
    parts = [[name] for name in bottom]
    digits = any(re.search(r"\d", name) for name in bottom) or len(set(bottom)) < len(bottom)
    for level in reversed(wide[:-1]):
        upper = _drop_label_head(level, len(bottom), grid)
        if grid:
            upper = _fill_merged(upper, len(bottom))
        if len(upper) == len(bottom):
            for part, name in zip(parts, upper, strict=True):
                part.insert(0, name)
        elif digits and 0 < len(upper) < len(bottom):
            for part, name in zip(parts, _spread_heads(upper, bottom), strict=True):
                part.insert(0, name)
    for level in lower:
        for part, name in zip(reversed(parts), reversed(level), strict=False):
            part.append(name)
    across = _put_days_in_columns(across, parts)
    dated = any(HAS_YEAR.search(" ".join(part)) for part in parts)
    outer = [name for name in across if not (dated and HAS_YEAR.search(name))]
    open_ended = any(name.endswith(",") for name in outer)  # "Year ended December 31," goes before years alone
    return _tidy_heads(
        part if dated and open_ended and not HAS_YEAR.search(" ".join(part)) else [*outer, *part] for part in parts
    )


def _name_grid(heads: Sequence[TableLine], spanning: Sequence[TableLine], columns: int) -> list[str]:
    """Return one name for each column of a grid, where the place of a head tells its columns."""
    wide = [line for line in heads if len(line.pieces) > 1 and not is_note(line.text)]
    across = [line.text for line in (*spanning, *heads) if len(line.pieces) == 1 and is_period(line.text)]
    fullest = max((line.filled for line in wide), default=0)
    bottom = max((at for at, line in enumerate(wide) if line.filled == fullest), default=0)
    parts: list[list[str]] = [[] for _ in range(columns)]
    # If columns without a head have a space, a short line has no heads for the rest; otherwise its last head continues.
    is_spaced = any(piece.text == " " for line in wide for piece in line.pieces)
    levels = [[piece.text for piece in line.pieces[1:]] + [" " if is_spaced else ""] * columns for line in wide]
    for at, level in enumerate(levels):
        name = ""
        for column, (part, text) in enumerate(zip(parts, level, strict=False)):
            if text or not _reaches(name, levels, at, column, bottom):
                name = text.strip()
            part.append(name)
    across = _put_days_in_columns(across, parts)
    dated = any(HAS_YEAR.search(" ".join(part)) for part in parts)
    outer = [name for name in across if not (dated and HAS_YEAR.search(name))]
    return _tidy_heads([*outer, *part] for part in parts)


def _drop_caption(heads: Sequence[TableLine]) -> Sequence[TableLine]:
    """Return the heads without a caption such as "Table 3: Rates" at their start, and the lines on which it goes on."""
    if not heads or not _CAPTION.match(heads[0].text):
        return heads
    named = [line.filled - bool(line.pieces[0].text.strip()) for line in heads]
    first = next((at for at, count in enumerate(named) if at and count > 1), 0)
    return heads[first:] if first else heads


def _split_days(text: str, columns: int) -> list[str]:
    """Return the days on a line that has one for each column: "January 28, January 29,"; empty for other lines."""
    days = [match[0] for match in DAY.finditer(text)]
    return days if len(days) == columns > 1 and not DAY.sub("", text).strip(" ,") else []


def _put_days_in_columns(across: Sequence[str], parts: Sequence[list[str]]) -> list[str]:
    """Put the days of lines that have one for each column in front of the heads, and return the other lines."""
    left = []
    for text in across:
        days = _split_days(text, len(parts))
        for part, day in zip(parts, days, strict=False):
            part.insert(0, day)
        if not days:
            left.append(text)
    return left


def _reaches(name: str, levels: Sequence[Sequence[str]], at: int, column: int, bottom: int) -> bool:
    """Tell whether a head of a level also names a column where its level has an empty cell.

    It does if a level below has a head there. A head below the fullest level stops where a level above has a new head:
    that head is merged downwards. A unit may be merged below several heads.
    """
    if at < bottom or any(level[column].strip() for level in levels[at + 1 :]):
        return True
    is_new = any(level[column].strip() for level in levels[:at])
    return at > bottom and (not is_new or bool(find_note(f"({name.strip('()')})")))


def _drop_label_head(level: list[str], columns: int, grid: bool) -> list[str]:
    """Return the heads of a line without the head of the label column."""
    if grid or len(level) == columns + 1 or (level and find_note(f"({level[0].strip('()')})") and len(level) > 1):
        return level[1:]
    return level


def _fill_merged(upper: list[str], count: int) -> list[str]:
    """Return the heads of an upper level for so many columns: an empty cell belongs to the merged one on its left."""
    filled: list[str] = []
    for name in (upper + [""] * count)[:count]:
        filled.append(name or (filled[-1] if filled else ""))
    return filled


def _spread_heads(upper: list[str], bottom: list[str]) -> list[str]:
    """Return heads that span several columns, one for each column.

    Heads below that repeat ("Amount | Share | Amount | Share | Change") show how far each reaches. Otherwise they
    reach equally far, or the leftmost takes the remaining columns.
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


def _tidy_heads(columns: Iterable[Sequence[str]]) -> list[str]:
    """Return the heads of columns without the unit and scale that all of them have; others stay: "Fee (EUR)"."""
    heads = [" ".join(filter(None, parts)) for parts in columns]
    is_shared = len({find_note(head) for head in heads}) == 1
    return [_tidy_head([head]) if is_shared else FOOTNOTE.sub("", " ".join(head.split())) for head in heads]


def _tidy_head(parts: Iterable[str]) -> str:
    words = " ".join(part for part in parts if part)
    for form in NOTES[:2]:
        words = form.sub("", words)
    return FOOTNOTE.sub("", " ".join(words.split()))


def match_columns(names: list[str], values: Sequence[Cell], grid: bool) -> list[str]:
    """Return the head of each cell; empty where the column of a cell is ambiguous."""
    count = len(values)
    if len(names) == count:
        return names
    if grid:
        return (names + [""] * count)[:count]
    dated = [k for k, name in enumerate(names) if HAS_YEAR.search(name)]
    if dated and len(dated) == count < len(names):
        return [names[k] for k in dated]
    if len(dated) > 1 and dated == list(range(len(names) - 1)) and count == len(names) + 1:
        return [*names, names[-1]]  # "2020 | 2019 | Change": the change as an amount and as a share
    return [""] * count
