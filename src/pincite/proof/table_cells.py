"""Split the lines of a table into cells, and classify a cell: a figure, nothing, a year, a note on unit and scale."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from pincite.reading.merged_labels import MERGED
from pincite.text.units import PREFIXES, look_up_unit
from pincite.types import Cell

_CURRENCY = rf"(?:{PREFIXES}|Rs\.?)"
_DIGITS = r"\d[\d,.\u00a0\u202f '’·]*"
_FIGURE = re.compile(
    rf"[<>~≈±+\-−–]?\s?{_CURRENCY}?\s?[(\[]?\s?[+\-−–]?\s?{_CURRENCY}?\s?(?:{_DIGITS}|\.\d+)\s?\)?\s?"
    rf"(?:%|‰|{_CURRENCY}|pts?|bps|pp|x|[kKMG](?:[€$]|[Wm]h?)?|bn|m|millions?|billions?|milliards?|milliers?)?\s?\)?\s?%?"
    r"(?:\s?\(\w\)|\s?[*†‡¹²³])*"
)
_WITH_UNIT = re.compile(r"[<>~≈±+\-−–]?\s?\d[\d,.\u00a0\u202f '’]*?\s?([^\W\d_]+[²³]?)")
_BLANK = re.compile(r"[—–\-−.*/\s]+|n\.?/?[acms]\.?|nm|nd|ns", re.IGNORECASE)
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:\s?[/–-]\s?(?:\d{1,2}|(?:19|20)\d\d))?(?:\s?\([\w*]\)|[*†EeAaPp])?")
_THOUSANDS = re.compile(r"\W*000(?:[,. ]000)?\W*")  # a scale in a head: "(000)"
HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\bFY\s?['’]?\d\d")
_MONTH = (
    r"(?:jan(?:uary|v(?:ier)?)?|feb(?:ruary)?|f[ée]v(?:r(?:ier)?)?|mar(?:ch|s)?|apr(?:il)?|avr(?:il)?|may|mai|june?"
    r"|juin|july?|juil(?:let)?|aug(?:ust)?|ao[ûu]t?|sept?(?:emb(?:er|re))?|oct(?:ob(?:er|re))?|nov(?:emb(?:er|re))?"
    r"|d[ée]c(?:emb(?:er|re))?)"
)
PERIOD = re.compile(rf"(?<!\d)(?:19|20)\d\d(?!\d)|\b{_MONTH}\b", re.IGNORECASE)
DAY = re.compile(rf"\b(?:{_MONTH}\.?\s+\d{{1,2}}\b,?|(?:1er|\d{{1,2}})\s+{_MONTH}\b\.?)", re.IGNORECASE)
_PREFIX_ONLY = re.compile(rf"{_CURRENCY}|\(")  # a dash alone is an empty cell
_BAR_ROW = re.compile(r"^\|.*\|[ ]*$", re.MULTILINE)  # of a Markdown table
_RULE_ROW = re.compile(r"[\s|:-]+")
_SUFFIX_ONLY = re.compile(r"[)\]%‰]+|\)\s?%|%\s?\)")
_TRAILING_SIGN = re.compile(rf"(?<=[\d)%—–-])\s*({_CURRENCY})$")
_ENDS_FIGURE = re.compile(r"[\d)%—–-]$")
_MARKS = "".join(letter for letter in ascii_lowercase if not look_up_unit(letter))  # "Height (m)" has no footnote
FOOTNOTE = re.compile(rf"(?:\s{{0,9}}(?:\((?:\d{{1,2}}|[{_MARKS}])\)|\[\d{{1,2}}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰*†‡])){{1,20}}$")
_GROUPS = re.compile(r"\S+(?: \d{3})+")
_SCALE_WORD = r"thousands?|millions?|billions?|trillions?|milliers?|milliards?|[kKM]\s?[€$£]|[€$£]\s?[kKmMbB]n?\b"
_UNIT_WORD = rf"{_SCALE_WORD}|%|percent\b|pour\s?cent\b|pourcentages?|dollars?\b|euros?\b|cents?\b|{_CURRENCY}"
NOTES = tuple(
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
class TableLine:
    """A line of a table: its place and its pieces between tabs. In a `grid` the place of a piece gives its column.

    In a grid an empty piece belongs to the head before it, and a piece that is a space belongs to none.
    """

    start: int
    end: int
    pieces: tuple[Cell, ...]
    grid: bool = False

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces if piece.text.strip())

    @property
    def filled(self) -> int:
        return sum(bool(piece.text.strip()) for piece in self.pieces)


def is_figure(text: str) -> bool:
    """Tell whether a cell holds a figure that is not a year, with or without a unit: "72 TB"."""
    if _FIGURE.fullmatch(text):
        return not YEAR.fullmatch(text) and not _THOUSANDS.fullmatch(text)
    with_unit = _WITH_UNIT.fullmatch(text)
    known = look_up_unit(with_unit[1]) if with_unit else None
    return known is not None and known[0] != "time"  # a time names a column more often: "1 year"


def is_blank(text: str) -> bool:
    """Tell whether a cell says that it has no figure: "—", "n/a"."""
    return bool(_BLANK.fullmatch(text))


def find_note(text: str) -> str:
    """Return the first words of a text that give unit and scale, such as "in millions of dollars"; "" without any."""
    matches = [match for form in NOTES if (match := form.search(text))]
    first = min(matches, key=lambda match: match.start(), default=None)
    return " ".join(first["note"].split()) if first else ""


def is_note(text: str) -> bool:
    """Tell whether a line says nothing but the unit or scale: "(in thousands)"."""
    return find_note(text) == text.strip("() ")


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


def split_lines(text: str, offset: int) -> list[TableLine]:
    lines, at, grid = [], 0, is_grid(text)
    for raw in text.split("\n"):
        pieces = tuple(_split_cells(raw, offset + at, grid)) if raw.strip() else ()
        if pieces:
            lines.append(TableLine(offset + at, offset + at + len(raw), pieces, grid))
        at += len(raw) + 1
    return lines


def _split_cells(line: str, offset: int, grid: bool) -> Iterator[Cell]:
    """Yield the cells of a line; a lone currency sign, percent sign or bracket joins its neighbour."""
    cells: list[Cell] = []
    pending: tuple[int, str] | None = None
    at = 0
    for raw in line.split("\t"):
        begin = offset + at
        at += len(raw) + 1
        for start, piece in _split_piece(raw, grid):
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
            elif cells and _ENDS_FIGURE.search(cells[-1].text) and _SUFFIX_ONLY.fullmatch(piece):
                cells[-1] = replace(cells[-1], end=end, text=cells[-1].text + piece)
            else:
                cells.append(Cell(start, end, " ".join(piece.split())))
        if grid and not raw.strip() and not pending:
            cells.append(Cell(begin, begin, raw[:1]))
    return iter(cells)


def _split_piece(raw: str, grid: bool) -> Iterator[tuple[int, str]]:
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
    if grid or not several or _GROUPS.fullmatch(piece):
        yield start, piece
        return
    for at, part in parts:
        yield start + at, part.strip()


def is_grid(text: str) -> bool:
    """Tell whether the text has empty cells, so that the place of a cell gives its column."""
    return "\t\t" in text or MERGED in text or any(line.startswith("\t") for line in text.split("\n"))


def list_continued(line: TableLine) -> list[int]:
    """Return the places of a line's cells that one above is merged over."""
    return [place for place, piece in enumerate(line.pieces) if piece.text == MERGED]


def is_data(line: TableLine) -> bool:
    return len(line.pieces) > 1 and any(is_figure(piece.text) for piece in line.pieces[1:])


def is_blank_data(line: TableLine) -> bool:
    return len(line.pieces) > 1 and all(is_blank(piece.text) or not piece.text for piece in line.pieces[1:])


def is_years(line: TableLine) -> bool:
    """Tell whether a line names years: all of its cells do, a word in front aside."""
    cells = [piece.text for piece in line.pieces if piece.text.strip()]
    if len(cells) > 1 and not YEAR.fullmatch(cells[0]):
        cells = cells[1:]
    return bool(cells) and all(YEAR.fullmatch(cell) for cell in cells)


def list_values(line: TableLine) -> tuple[Cell, ...]:
    """Return the cells of a data line without its label."""
    first = line.pieces[0].text
    rest = line.pieces[1:]
    if line.grid:
        return rest
    if not is_figure(first) and not (YEAR.fullmatch(first) and len(rest) == 0):
        is_year_label = YEAR.fullmatch(first) and not any(YEAR.fullmatch(piece.text) for piece in rest)
        return rest if is_year_label or not YEAR.fullmatch(first) else line.pieces
    return line.pieces


def count_columns(lines: Sequence[TableLine]) -> int:
    if any(line.grid for line in lines):
        return max((len(line.pieces) - 1 for line in lines), default=0)
    counts = Counter(len(list_values(line)) for line in lines if len(line.pieces) > 1)
    best = max(counts.values(), default=0)
    # Rows that lack a cell are more frequent than rows with one too many.
    return max((count for count, times in counts.items() if 2 * times >= best), default=0)
