"""Find the cited figures from which a sentence may derive another figure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

from pincite.proof.claim_case import ClaimCase
from pincite.proof.figures import SHARES, Figure, find_years, make_head_key
from pincite.proof.shared_words import list_shared_words
from pincite.proof.text_positions import find_figure_sentence
from pincite.text.quantities import Quantity
from pincite.types import Cell, Row

FoundFigures = Mapping[Quantity, Sequence[Figure]]
Pair = tuple[Figure, Figure, bool]  # two figures, and whether the sentence quotes both

_TOTAL = re.compile(r"\btota(?:l|ux)\b", re.IGNORECASE)
_NEW_LINE = re.compile(r"\n\s{0,40}[A-ZÀ-Ý]")
_ROWS = 8
_FEW = 3  # cells of a row without heads
_TERMS = 12  # figures of one sum
_PROSE = 12  # figures of running text that are paired
_ASSUMED = 1_000  # the largest count that a sentence may assume


def is_share(figure: Figure) -> bool:
    """Tell whether a figure is a percentage or a difference of two."""
    return figure.quantity.measure in SHARES


def is_part(first: Figure, last: Figure) -> bool:
    """Tell whether two cells of a row are a part and the total."""
    if first.cell is None or last.cell is None or first.row is not last.row:
        return False
    if find_years(first.cell.head) != find_years(last.cell.head) or abs(first.raw) > abs(last.raw):
        return False
    return bool(_TOTAL.search(last.cell.head)) and not _TOTAL.search(first.cell.head)


def list_quoted_figures(quantity: Quantity, found: FoundFigures) -> list[tuple[Quantity, Figure]]:
    """Return the other figures of the sentence that stand in the source, each with its best place there."""
    pairs = []
    for other, places in found.items():
        if other is not quantity and places:
            pairs.append((other, next((place for place in places if place.cited), places[0])))
    return pairs


def find_pairs(case: ClaimCase, quantity: Quantity) -> Iterator[Pair]:
    """Yield pairs of figures to compare: those a sentence quotes, of a row it names, of a column, of running text."""
    figures = case.figures
    quoted = [figure for _, figure in list_quoted_figures(quantity, case.found)]
    for one, other in combinations(quoted, 2):
        for first, last in _order_pair(one, other):
            yield first, last, True
    rows = _find_named_rows(case, quoted)
    for row in rows:
        cells = [figure for figure in figures if figure.row is row]
        for one, other in combinations(cells, 2):
            if _is_comparable(case, one, other, quoted):
                yield one, other, False
                yield other, one, False
    for upper, lower in permutations(rows, 2):
        for first in (figure for figure in figures if figure.row is upper):
            for last in (figure for figure in figures if figure.row is lower):
                if _is_same_column(first, last) and _is_in_years(first, case.claim_years):
                    yield first, last, False
    prose = [figure for figure in figures if figure.cell is None and figure.cited]
    for one, other in combinations(prose[:_PROSE], 2):
        if one in quoted or other in quoted or one.quantity.measure == other.quantity.measure:
            for first, last in _order_pair(one, other):
                yield first, last, False


def find_factors(case: ClaimCase, quantity: Quantity) -> Iterator[tuple[Figure, Figure, Quantity | None]]:
    """Yield pairs of figures to multiply, and the one of the sentence that is an assumption of its own.

    One of the two is in the sentence, or they stand in two sentences of the cited words: "20 mg", "three tablets".
    """
    quoted = [figure for _, figure in list_quoted_figures(quantity, case.found)]
    prose = [figure for figure in case.figures if figure.cell is None and figure.cited][:_PROSE]
    rows = _find_named_rows(case, quoted)
    cells = [
        figure
        for figure in case.figures
        if figure.row is not None and any(figure.row is row for row in rows) and _is_in_years(figure, case.claim_years)
    ]
    cited = [*prose, *cells[: 2 * _PROSE]]
    for one in quoted:
        for other in cited:
            units = one.quantity.measure or other.quantity.measure or one.cell or other.cell
            if other is not one and (units or other in quoted):
                yield one, other, None
    for one, other in combinations(prose, 2):
        between = one.sentence[one.start : other.start]
        units = one.quantity.measure or other.quantity.measure
        if units and (find_figure_sentence(one) != find_figure_sentence(other) or _NEW_LINE.search(between)):
            yield one, other, None
    for assumed in _find_assumed_figures(case, quantity):
        figure = Figure(case.words_of(assumed), assumed.worth[0] / (assumed.size * assumed.factor), assumed, False)
        for other in cited:
            yield figure, other, assumed


def _find_assumed_figures(case: ClaimCase, quantity: Quantity) -> Iterator[Quantity]:
    """Yield the figures of a sentence that it may assume: no figure of the cited words has their unit."""
    for other, places in case.found.items():
        if other is quantity or places or not other.worth or other.measure in SHARES:
            continue
        value = abs(other.worth[0]) / (other.size * other.factor)
        if not value.is_integer() or value > _ASSUMED or (value > 99 and value % 10):
            continue
        unit = (other.measure, other.size)
        rivals = [f for f in case.figures if f.cited and (f.quantity.measure, f.quantity.size) == unit]
        if not other.measure or not rivals:
            yield other


def find_terms(case: ClaimCase, quantity: Quantity) -> Iterator[tuple[Figure, ...]]:
    """Yield figures to add up: cited ones in one column, or of one measure in the cited words."""
    columns: dict[tuple[int, str], list[Figure]] = {}
    for figure in case.figures:
        if figure.cited and figure.cell is not None and not is_share(figure):
            columns.setdefault((id(figure.table), figure.cell.head), []).append(figure)
    for terms in columns.values():
        if 2 <= len(terms) <= _TERMS:
            yield tuple(terms)
            yield from combinations(terms, 2)
            if len(terms) > 3:
                yield from combinations(terms, 3)
    prose = [figure for figure in case.figures if figure.cited and figure.cell is None]
    same = [figure for figure in prose if figure.quantity.measure == quantity.measure]
    if 2 <= len(same) <= _TERMS:
        yield from combinations(same, 2)
        if len(same) > 2:
            yield tuple(same)


def _order_pair(one: Figure, other: Figure) -> tuple[tuple[Figure, Figure], tuple[Figure, Figure]]:
    """Return both orders of two figures; in running text the larger figure comes first."""
    if one.cell is None and other.cell is None and one.quantity.worth[0] < other.quantity.worth[0]:
        one, other = other, one
    return (one, other), (other, one)


def _find_named_rows(case: ClaimCase, quoted: Sequence[Figure]) -> list[Row]:
    """Return the rows whose figures a sentence quotes, and the cited rows whose labels it names."""
    own = [figure.row for figure in quoted if figure.row is not None]
    return list({id(row): row for row in (*own, *case.named_rows)}.values())[:_ROWS]


def _is_comparable(case: ClaimCase, one: Figure, other: Figure, quoted: Sequence[Figure]) -> bool:
    """Tell whether two cells of a row differ in their period alone, and in one that the sentence may mean."""
    assert one.cell is not None
    assert other.cell is not None
    if one.cell is other.cell:
        return True  # the ends of a range
    heads = one.cell.head, other.cell.head
    first, last = find_years(heads[0]), find_years(heads[1])
    keys = [frozenset(make_head_key(head).split()) for head in heads]
    apart = keys[0] - keys[1], keys[1] - keys[0]
    named = all(list_shared_words(own, case.words) for own in apart) and not list_shared_words(*apart)
    if is_part(one, other) or is_part(other, one):
        return not first or not case.claim_years or bool(first & case.claim_years)
    if not first or not last:
        return (
            not case.claim_years
            or one in quoted
            or other in quoted
            or (not all(heads) and len(_list_cells(one)) <= _FEW)
            or named
        )
    if keys[0] != keys[1]:
        return named and first == last
    if len(case.claim_years) > 1:
        return bool(first & case.claim_years) and bool(last & case.claim_years)
    near_by = abs(max(first) - max(last)) == 1
    return near_by and (not case.claim_years or bool((first | last) & case.claim_years))


def _list_cells(figure: Figure) -> Sequence[Cell]:
    return figure.row.cells if figure.row else ()


def _is_in_years(figure: Figure, claim_years: frozenset[int]) -> bool:
    years = find_years(figure.cell.head) if figure.cell else frozenset()
    return not years or not claim_years or bool(years & claim_years)


def _is_same_column(one: Figure, other: Figure) -> bool:
    assert one.cell is not None
    assert other.cell is not None
    return one.cell.head == other.cell.head and one.table is other.table
