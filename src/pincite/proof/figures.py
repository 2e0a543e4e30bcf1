"""Read the figures of cited words and table rows, and compare them with the figures of a sentence."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pincite.proof.shared_words import clean_text, list_content_words
from pincite.proof.table_cells import is_figure
from pincite.proof.tables import find_tables
from pincite.text.folding import fold_alphanumerics
from pincite.text.numerals import DIGITS, SCALE_LETTERS, SCALES, read_digits
from pincite.text.quantities import Quantity, find_quantities
from pincite.text.units import CURRENCIES, UNITS, look_up_unit
from pincite.types import Block, Cell, Row, Table

_CELL = re.compile(rf"(?P<open>\()?\s?(?P<sign>[-−–])?\s?[$€£]?\s?(?P<digits>{DIGITS}|\.\d+)")
_SEVERAL = re.compile(r"\S[ \u00a0]*\t\s*\S")  # cells; a line may end or begin with tabs
_CURRENCY = re.compile(r"[$€£¥₹]|\b(?:dollars?|euros?|USD|EUR|GBP|CHF|pounds|rupees)\b", re.IGNORECASE)
_SCALES = (
    (re.compile(r"\b(?:thousands?|milliers?)\b|\bk[€$£]|[€$£]\s?k\b|(?<![\d,.])['’(]?000s?\b", re.IGNORECASE), 1e3),
    (re.compile(r"\bmillions?\b|\bM[€$£]|[€$£]\s?[mM]n?\b|\(mn\)|\bmio\b", re.IGNORECASE), 1e6),
    (re.compile(r"\bbillions?\b|\bmilliards?\b|\bbn\b|\bMd[€$£]", re.IGNORECASE), 1e9),
)
_LETTER = re.compile(r"\s?([kKMB])(?![\w€$£])")
_BETWEEN = re.compile(r"(?<!\s)\s+(?:[–—-]|to|à)\s+|(?:(?<!\s)\s+)?/\s*")
_SCALED = re.compile(r"[$€£]?\s?\d[\d,.]*\s?[kKMB]")
_PERCENT = re.compile(r"%|\bper ?cent|\bpour ?cent", re.IGNORECASE)
_IN_PERCENT = re.compile(r"(?<!\d)(?<!\d )(?:%|per ?cent\b|pour ?cent\b)", re.IGNORECASE)  # a unit, not "2.1% notes"
_EXCEPT = re.compile(r"\b(?:except|excluding|sauf|hors)\b", re.IGNORECASE)
_UNIT_WORD = re.compile(r"[^\W\d_]+[²³23]?|°[CF]?")
_ROUGH = 0.05  # greatest relative error of a figure behind "about"
_DISTINCT_DIGITS = 6  # digits of a row that stand together nowhere else
_SLACK = 0.005  # relative error that is always allowed there
SHARES = ("percent", "points", "permille")
_CONVERTED = frozenset(name for name, _ in UNITS.values()) - CURRENCIES - set(SHARES)
_CONVERSION = 0.005  # of a figure that was converted from another unit
YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?!\d|[.,]\d)")
_YEARS = re.compile(r"(?<![\d.,])((?:19|20)\d\d)\s?[-–/]\s?(\d{1,2})(?![\d/-])")
_ONLY_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure of a source: its possible values, and its place. Two figures are never equal."""

    text: str
    raw: float
    quantity: Quantity
    cited: bool
    sentence: str = ""
    start: int = 0
    table: Table | None = None
    row: Row | None = None
    cell: Cell | None = None

    @property
    def label(self) -> str:
        """The label of the figure's row, without the groups it stands under."""
        return strip_row_groups(self.row) if self.row else ""


def strip_row_groups(row: Row) -> str:
    """Return the label of a row without the groups it stands under."""
    return row.label.rsplit(" › ", 1)[-1]


def find_years(text: str) -> frozenset[int]:
    """Return the years a text names; "1998-99" names two."""
    found = {int(match[0]) for match in YEAR.finditer(text)}
    for match in _YEARS.finditer(text):
        found.add(int(match[1][: 4 - len(match[2])] + match[2]))
    for match in re.finditer(r"\bFY\s?['’]?(\d{4}|\d\d)\b", text):
        found.add(int(match[1]) if len(match[1]) == 4 else 2000 + int(match[1]))
    found.update(2000 + int(match[1]) for match in re.finditer(r"(?<![\d.])(\d\d) vs\.? \d\d(?![\d.])", text))
    return frozenset(found)


def find_text_tables(text: str) -> tuple[Table, ...]:
    """Return the tables of a plain text: its lines with tabs."""
    return find_tables(text, [Block("table", 0, len(text))], 0, len(text)) if "\t" in text else ()


def remove_table_rows(text: str) -> str:
    """Return a text without its table rows."""
    if "\t" not in text:
        return text
    lines = text.split("\n")
    return "\n".join("" if _SEVERAL.search(line) and _CELL.search(line) else line for line in lines)


def read_prose(text: str, cited: bool) -> list[Figure]:
    """Return the figures of running text."""
    return [
        Figure(text[q.start : q.end], _unscale_value(q), q, cited, text, q.start)
        for q in find_quantities(text)
        if q.kind == "number" and not is_year(q, text) and text[q.start : q.end].casefold() not in SCALES
    ]


def _unscale_value(quantity: Quantity) -> float:
    return quantity.worth[0] / (quantity.size * quantity.factor) if quantity.worth else 0.0


def is_year(quantity: Quantity, text: str) -> bool:
    """Tell whether a number is a year: four digits without a unit."""
    written = text[quantity.start : quantity.end]
    return quantity.kind == "number" and not quantity.measure and bool(_ONLY_YEAR.fullmatch(written))


def read_rows(tables: Sequence[Table], cited_text: str) -> list[Figure]:
    """Return the figures of table rows; rows whose words stand in the cited text are cited."""
    squeezed = fold_alphanumerics(clean_text(cited_text))
    found: list[Figure] = []
    for table in tables:
        for row in table.rows:
            own = fold_alphanumerics("".join(cell.text for cell in row.cells if not cell.is_continued))
            label = fold_alphanumerics(strip_row_groups(row))
            cited = f"{label}{own}" in squeezed or (
                len(own) > _DISTINCT_DIGITS and own in squeezed and label in squeezed
            )
            cited = cited and bool(own)
            found.extend(chain.from_iterable(_read_cell(table, row, cell, cited) for cell in row.cells))
    return found


def _read_cell(table: Table, row: Row, cell: Cell, cited: bool) -> Iterator[Figure]:
    text = clean_text(cell.text)
    for part in _split_range(text):
        if figure := _read_figure(table, row, cell, part, cited):
            yield figure


def _split_range(text: str) -> list[str]:
    """Return the figures of a cell that holds several: "$83.6B – $84.4B / $84.0B"."""
    parts = _BETWEEN.split(text)
    return parts if len(parts) > 1 and all(is_figure(part) or _SCALED.fullmatch(part) for part in parts) else [text]


def _read_figure(table: Table, row: Row, cell: Cell, text: str, cited: bool) -> Figure | None:
    match = _CELL.search(text)
    if match is None:
        return None
    digits = match["digits"]
    # In a table "3,991" has thousands: a decimal reading would let a wrong scale pass.
    worth = read_digits(digits if digits[0] != "." else f"0{digits}")[:1]
    if not worth:
        return None
    negative = bool(match["sign"]) or (match["open"] is not None and ")" in text[match.end() :])
    sign = -1.0 if negative else 1.0
    named = f"{cell.head} {row.label}"
    letter = _LETTER.match(text, match.end())
    scale = SCALE_LETTERS[letter[1].casefold()] if letter else find_scale(text[match.end() :])
    scale = scale or find_scale(cell.head) or find_scale(strip_row_groups(row)) or find_scale(row.label)
    noted = find_scale(table.note)
    unit = named if scale or noted else f"{named} {table.note}"
    # "Percent Change 2023" over amounts: a head that ends with a year names a period.
    if find_years(cell.head.rsplit(" ", 1)[-1]):
        unit = f"{row.label} {'' if scale or noted else table.note}"
    percent = bool(_PERCENT.search(text)) or (not _CURRENCY.search(text) and bool(_IN_PERCENT.search(unit)))
    factors: tuple[float, ...] = (scale or noted, 1.0) if scale or noted else (1.0,)
    factors = (0.01,) if percent else factors
    measured = "percent" if percent else "money" if _CURRENCY.search(text) else ""
    decimals = len(digits) - 1 - max(digits.rfind("."), digits.rfind(",")) if re.search(r"[.,]\d{1,2}$", digits) else 0
    grain = 10.0**-decimals * factors[0]
    worths = tuple(sign * value * factor for factor in factors for value in worth)
    size = factors[0] if percent else 1.0
    quantity = Quantity("number", 0, 0, worths, measured, size, grain=grain, factor=factors[0])
    return Figure(text, sign * worth[0], quantity, cited, "", 0, table, row, cell)


def find_scale(text: str) -> float:
    """Return the scale that a head, a label or a note gives its figures; 0 without one."""
    if not text:
        return 0.0
    stated = _EXCEPT.split(text)[0]
    return next((scale for pattern, scale in _SCALES if pattern.search(stated)), 0.0)


def has_same_value(claimed: Quantity, figure: Figure, doc_scales: frozenset[float] = frozenset()) -> bool:
    """Tell whether a source's figure says what a sentence's figure does."""
    if figure.cell is None:
        return _has_same_prose_value(claimed, figure.quantity, doc_scales)
    given = figure.quantity
    if given.measure == "percent":
        if claimed.measure and claimed.measure not in SHARES:
            return False
        worths = given.worth if claimed.measure else tuple(w / 0.01 for w in given.worth)
        grain = given.grain if claimed.measure else given.grain / 0.01
        return any(is_near(claimed, worth, grain) for worth in worths)
    if given.measure == "money" and claimed.measure and claimed.measure not in CURRENCIES:
        return False
    money = claimed.measure in CURRENCIES
    for n, worth in enumerate(given.worth):
        scaled = n < len(given.worth) // 2 or given.factor == 1.0 or len(given.worth) == 1
        if not scaled and (claimed.factor != 1.0 or (money and not _is_exempt(figure))):
            continue
        grain = given.grain if scaled else given.grain / given.factor
        for size in _list_unit_sizes(claimed, figure):
            if is_near(claimed, worth * size, grain * size):
                return True
    return False


def may_be_unscaled(claimed: Quantity, figure: Figure) -> bool:
    """Tell whether a sentence may give a cell's figure without the scale of the table."""
    if figure.cell is None or figure.quantity.factor == 1.0 or len(figure.quantity.worth) < 2 or claimed.factor != 1.0:
        return False
    return claimed.measure not in CURRENCIES or _is_exempt(figure)


def _is_exempt(figure: Figure) -> bool:
    """Tell whether a note's scale may leave out a figure: "except per share amounts"."""
    note = figure.table.note if figure.table else ""
    return bool(_EXCEPT.search(note)) and ("." in figure.text or abs(figure.raw) < 100)


def _list_unit_sizes(claimed: Quantity, figure: Figure) -> set[float]:
    """Return the sizes that a cell's unit may have in the sentence's measure: a unit in its heads, or the same unit."""
    if not claimed.measure or claimed.measure in CURRENCIES:
        return {1.0}
    sizes = {claimed.size}
    if figure.cell and figure.row and figure.table and "/" not in claimed.measure:
        for match in _UNIT_WORD.finditer(f"{figure.cell.head} {figure.row.label} {figure.table.note}"):
            known = look_up_unit(match[0])
            if known and known[0] == claimed.measure:
                sizes.add(known[1])
    return sizes


def _has_same_prose_value(claimed: Quantity, given: Quantity, doc_scales: frozenset[float]) -> bool:
    if claimed.kind != given.kind:
        return False
    if claimed.measure == given.measure or {claimed.measure, given.measure} == {"percent", "points"}:
        if any(is_near(claimed, worth, given.grain) for worth in given.worth):
            return True
        if given.factor == 1.0 and claimed.factor in doc_scales:
            return any(is_near(claimed, worth * claimed.factor, given.grain * claimed.factor) for worth in given.worth)
        if claimed.size == given.size or claimed.measure not in _CONVERTED:
            return False
        return any(math.isclose(own, other, rel_tol=_CONVERSION) for own in claimed.worth for other in given.worth)
    if not claimed.measure:  # the unit is said elsewhere in the sentence, or only in the source
        own = tuple(worth / given.size for worth in given.worth)
        return any(is_near(claimed, worth, given.grain / given.size) for worth in own)
    if not given.measure and claimed.measure not in SHARES:
        return any(is_near(claimed, worth * claimed.size, given.grain * claimed.size) for worth in given.worth)
    return False


def is_near(claimed: Quantity, value: float, grain: float = 0.0) -> bool:
    """Tell whether a value is the claimed one, or its rounding as far as the sentence may round."""
    if any(math.isclose(abs(own), abs(value), rel_tol=1e-9, abs_tol=1e-12) for own in claimed.worth):
        return True
    # For another reading of the digits, "1,794" as a decimal, the value must be exact.
    return bool(claimed.worth) and abs(abs(claimed.worth[0]) - abs(value)) <= compute_tolerance(
        claimed, abs(value), grain
    )


def compute_tolerance(claimed: Quantity, value: float, grain: float) -> float:
    """Return how far a claimed figure may be from a source's: half its last digit where it has fewer digits."""
    exact = (1 + 1e-9) * claimed.grain / 2
    if claimed.rough:
        slack = _SLACK * value if is_round(claimed) else 0.0
        return min(max(claimed.step / 2, exact, slack), _ROUGH * value)
    if 0 < grain < claimed.grain and (claimed.factor > 1 or (claimed.measure and abs(_unscale_value(claimed)) >= 10)):
        return exact
    return 0.0


def is_round(quantity: Quantity) -> bool:
    """Tell whether the last digit of a figure is 0 or 5: behind "about" it may stand for others."""
    return bool(quantity.worth) and quantity.grain > 0 and round(abs(quantity.worth[0]) / quantity.grain) % 5 == 0


def make_head_key(head: str) -> str:
    """Return the words of a column's head without its years, to compare columns."""
    return " ".join(list_content_words(YEAR.sub("", head)))
