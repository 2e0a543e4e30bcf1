"""The figure of running text that has the role a sentence gives to another one."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.evidence.quantities import Quantity, quantities
from pincite.evidence.units import CURRENCIES
from pincite.proof.case import GIVEN, Case
from pincite.proof.figures import Figure
from pincite.proof.places import pair_years, slice_around
from pincite.proof.table_roles import find_named_cells
from pincite.proof.words import alike, content_words, shared

_CLAUSE = re.compile(r"[,;:()]|\.\s|\n\n")
_RIVALS = 20  # figures of one measure: among more of them, no one has the role of another
_NEAR_WORDS = 2
_APART = 1_000  # times
_BREATH = 10  # characters
_LONG = 4  # letters of a word that tells a role


def find_rival_in_prose(case: Case, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """The figure of the same measure beside the sentence's own words, where this one stands beside others."""
    used = case.used
    rivals = [
        figure
        for figure in case.figures
        if figure.cell is None
        and figure.cited
        and figure not in used
        and has_unit_of(figure, found[0].quantity)
        and (figure.quantity.measure or _same_noun(case, quantity, figure))
    ]
    if not rivals or len(found) != 1 or len(rivals) > _RIVALS:
        return None
    if rival := _rival_by_year(case, quantity, found[0], rivals) or _rival_by_turn(case, quantity, found[0], rivals):
        return rival
    sentences = _sentence_of(found[0])
    rivals = [figure for figure in rivals if _sentence_of(figure) == sentences]
    rivals = [figure for figure in rivals if _is_of_size(figure, found[0]) and not _is_next(figure, found[0])]
    beside = frozenset(_words_beside(case, found[0]))
    fits = [figure for figure in rivals if _has_role(case, frozenset(_words_beside(case, figure)), beside)]
    return fits[0].text if len(fits) == 1 else None


def _is_of_size(figure: Figure, other: Figure) -> bool:
    """Tell whether two figures are near enough in size to be taken for each other: a price is no turnover."""
    small, large = sorted(abs(each.quantity.worth[0]) for each in (figure, other))
    return large <= _APART * small


def _is_next(figure: Figure, other: Figure) -> bool:
    """Tell whether two figures are said in one breath: "two of the three shops", "5 to 15 years"."""
    first, last = sorted((figure, other), key=lambda each: each.start)
    return last.start - first.start - len(first.text) <= _BREATH


def _has_role(case: Case, theirs: frozenset[str], own: frozenset[str]) -> bool:
    """Tell whether a sentence has words beside one figure and none of those beside the other only."""
    if not own - theirs or shared(own - theirs, case.words):
        return False
    return len([word for word in shared(theirs - own, case.words) if len(word) >= _LONG]) > 1


def _rival_by_year(case: Case, quantity: Quantity, figure: Figure, rivals: Sequence[Figure]) -> str | None:
    start, end = _sentence_of(figure)
    sentence = figure.sentence[start:end]
    given = quantities(sentence)
    own = next((q for q in given if q.start + start == figure.start), None)
    beside = pair_years(sentence, given, own) if own else None
    claimed = pair_years(case.claim, case.quantities, quantity)
    claimed = claimed or (min(case.claim_years) if len(case.claim_years) == 1 else None)
    if beside is None or claimed is None or beside == claimed:
        return None
    for rival in rivals:
        theirs = next((q for q in given if q.start + start == rival.start), None)
        if theirs and pair_years(sentence, given, theirs) == claimed:
            return rival.text
    return None


def _rival_by_turn(case: Case, quantity: Quantity, figure: Figure, rivals: Sequence[Figure]) -> str | None:
    """The figure paired with the sentence's other one, where the source lists pairs: "2 rooms 45 €, 3 rooms 60 €"."""
    others = [(q, places) for q, places in case.found.items() if q is not quantity and q.measure != quantity.measure]
    places = [figure for _, figures in others for figure in figures if figure.cited]
    if len(others) != 1 or len(places) != 1 or len(case.found) != 2:
        return None
    anchor = places[0]
    kinds = {figure.quantity.measure, anchor.quantity.measure}
    line = [each for each in case.figures if each.cell is None and each.cited and each.quantity.measure in kinds]
    line = [each for each in line if each.sentence is figure.sentence]
    turns = len(line) > 3 and len(line) % 2 == 0
    if not turns or any(a.quantity.measure == b.quantity.measure for a, b in pairwise(line)) or anchor not in line:
        return None
    at = line.index(anchor)
    partner = line[at + 1 if at % 2 == 0 else at - 1]
    return partner.text if partner in rivals else None


def _begin_of_word(text: str, at: int) -> int:
    while at and text[at - 1].isalpha():
        at -= 1
    return at


def _end_of_word(text: str, at: int) -> int:
    while at < len(text) and text[at].isalpha():
        at += 1
    return at


def find_rival_of_neighbour(case: Case, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """The one unused figure of the cited words that has the role of a figure found only around them."""
    unused = _unused(case, quantity)
    rivals = [figure for figure in unused if _same_noun(case, quantity, figure)]
    if not rivals and quantity.measure:
        rivals = unused
    if not quantity.measure and not rivals:  # "from the age of 16": the source says the unit
        units = {(figure.quantity.measure, figure.quantity.size) for figure in found}
        rivals = _unused(case, found[0].quantity) if len(units) == 1 and found[0].quantity.measure else []
    if len(rivals) != 1:
        return None
    theirs = len(set(shared(_words_beside(case, rivals[0]), case.words)))
    own = max(len(set(shared(_words_beside(case, figure), case.words))) for figure in found)
    return rivals[0].text if theirs >= own else None


def find_rival_for_missing(case: Case, quantity: Quantity) -> str:
    """The figure the source has in place of one that is not there; empty where that is open."""
    rivals = _unused(case, quantity)[:GIVEN]
    if not quantity.measure:
        rivals = [figure for figure in rivals if _same_noun(case, quantity, figure)]
    if len({figure.text for figure in rivals}) == 1:
        return rivals[0].text
    rows = find_named_cells(case, quantity)
    return rows[0].text if len({figure.text for figure in rows}) == 1 else ""


def _unused(case: Case, quantity: Quantity) -> list[Figure]:
    used = case.used
    return [
        figure
        for figure in case.figures
        if figure.cell is None and figure.cited and has_unit_of(figure, quantity) and figure not in used
    ]


def has_unit_of(figure: Figure, quantity: Quantity) -> bool:
    """Tell whether a figure has the unit of another: years are no rival of hours."""
    given = figure.quantity
    return given.measure == quantity.measure and (given.size == quantity.size or given.measure in CURRENCIES)


def _same_noun(case: Case, quantity: Quantity, figure: Figure) -> bool:
    """Tell whether two figures stand before the same words."""
    own = content_words(case.claim[quantity.end : quantity.end + 60])[:_NEAR_WORDS]
    stop = figure.start + len(figure.text)
    theirs = content_words(figure.sentence[stop : stop + 60])[:_NEAR_WORDS]
    return any(alike(a, b) for a in own for b in theirs)


def _words_beside(case: Case, figure: Figure) -> list[str]:
    """The words that stand nearer to a figure than to another, within its part of the sentence."""
    text, (low, high) = figure.sentence, _sentence_of(figure)
    cuts = [low, *(match.end() for match in _CLAUSE.finditer(text, low, high)), high]
    start = max(cut for cut in cuts if cut <= max(figure.start, low))
    end = min((cut for cut in cuts if cut > figure.start), default=high)
    stop = figure.start + len(figure.text)
    others = [
        other
        for other in case.figures
        if other.cell is None
        and other.sentence is text
        and start <= other.start < end
        and other is not figure
        and has_unit_of(other, figure.quantity)
    ]
    for other in others:
        if other.start < figure.start:
            start = max(start, _begin_of_word(text, (other.start + len(other.text) + figure.start) // 2))
        else:
            end = min(end, _end_of_word(text, (stop + other.start) // 2))
    return [*content_words(text[start : figure.start]), *content_words(text[stop:end])]


def _sentence_of(figure: Figure) -> tuple[int, int]:
    """The place of the sentence that a figure stands in."""
    return slice_around(figure.sentence, figure.start)
