"""Find the figure that running text gives for a subject, where a sentence gives another one for it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.proof.claim_case import GIVEN, ClaimCase
from pincite.proof.figures import Figure
from pincite.proof.shared_words import list_content_words, list_shared_words, may_be_same_word
from pincite.proof.table_roles import find_named_cells
from pincite.proof.text_positions import find_figure_sentence, pair_years
from pincite.text.quantities import Quantity, find_quantities
from pincite.text.units import CURRENCIES

_CLAUSE = re.compile(r"[,;:()]|\.\s|\n\n")
_RIVALS = 20  # figures of one measure; with more of them, no figure is a rival
_NEAR_WORDS = 2
_APART = 1_000  # times
_BREATH = 10  # characters
_LONG = 4  # letters of a word that shows a role


def find_rival_in_prose(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """Return the figure of the same measure beside the sentence's own words, if this figure stands beside others."""
    used = case.used_figures
    rivals = [
        figure
        for figure in case.figures
        if figure.cell is None
        and figure.cited
        and figure not in used
        and has_unit_of(figure, found[0].quantity)
        and (figure.quantity.measure or _has_same_noun(case, quantity, figure))
    ]
    if not rivals or len(found) != 1 or len(rivals) > _RIVALS:
        return None
    if rival := _find_rival_by_year(case, quantity, found[0], rivals) or _find_rival_by_pair(
        case, quantity, found[0], rivals
    ):
        return rival
    sentences = find_figure_sentence(found[0])
    rivals = [figure for figure in rivals if find_figure_sentence(figure) == sentences]
    rivals = [figure for figure in rivals if _is_of_size(figure, found[0]) and not _is_adjacent(figure, found[0])]
    beside = frozenset(_list_words_beside(case, found[0]))
    fits = [figure for figure in rivals if _has_role(case, frozenset(_list_words_beside(case, figure)), beside)]
    return fits[0].text if len(fits) == 1 else None


def _is_of_size(figure: Figure, other: Figure) -> bool:
    """Tell whether two figures are near enough in size to be taken for each other: a price is no turnover."""
    small, large = sorted(abs(each.quantity.worth[0]) for each in (figure, other))
    return large <= _APART * small


def _is_adjacent(figure: Figure, other: Figure) -> bool:
    """Tell whether two figures follow each other closely: "two of the three shops", "5 to 15 years"."""
    first, last = sorted((figure, other), key=lambda each: each.start)
    return last.start - first.start - len(first.text) <= _BREATH


def _has_role(case: ClaimCase, theirs: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a sentence has words of those beside the rival figure, and none of those beside its own figure only."""
    if not own - theirs or list_shared_words(own - theirs, case.words):
        return False
    return len([word for word in list_shared_words(theirs - own, case.words) if len(word) >= _LONG]) > 1


def _find_rival_by_year(case: ClaimCase, quantity: Quantity, figure: Figure, rivals: Sequence[Figure]) -> str | None:
    start, end = find_figure_sentence(figure)
    sentence = figure.sentence[start:end]
    given = find_quantities(sentence)
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


def _find_rival_by_pair(case: ClaimCase, quantity: Quantity, figure: Figure, rivals: Sequence[Figure]) -> str | None:
    """Return the figure paired with the sentence's other one in a list of pairs: "2 rooms 45 €, 3 rooms 60 €"."""
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


def _find_word_start(text: str, at: int) -> int:
    while at and text[at - 1].isalpha():
        at -= 1
    return at


def _find_word_end(text: str, at: int) -> int:
    while at < len(text) and text[at].isalpha():
        at += 1
    return at


def find_rival_of_neighbour(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """Return the one unused figure of the cited words that has the role of a figure found only around them."""
    unused = _list_unused_figures(case, quantity)
    rivals = [figure for figure in unused if _has_same_noun(case, quantity, figure)]
    if not rivals and quantity.measure:
        rivals = unused
    if not quantity.measure and not rivals:  # "from the age of 16": the source says the unit
        units = {(figure.quantity.measure, figure.quantity.size) for figure in found}
        rivals = _list_unused_figures(case, found[0].quantity) if len(units) == 1 and found[0].quantity.measure else []
    if len(rivals) != 1:
        return None
    theirs = len(set(list_shared_words(_list_words_beside(case, rivals[0]), case.words)))
    own = max(len(set(list_shared_words(_list_words_beside(case, figure), case.words))) for figure in found)
    return rivals[0].text if theirs >= own else None


def find_rival_for_missing(case: ClaimCase, quantity: Quantity) -> str:
    """Return the figure that the source has in place of a missing one; empty where that is ambiguous."""
    rivals = _list_unused_figures(case, quantity)[:GIVEN]
    if not quantity.measure:
        rivals = [figure for figure in rivals if _has_same_noun(case, quantity, figure)]
    if len({figure.text for figure in rivals}) == 1:
        return rivals[0].text
    rows = find_named_cells(case, quantity)
    return rows[0].text if len({figure.text for figure in rows}) == 1 else ""


def _list_unused_figures(case: ClaimCase, quantity: Quantity) -> list[Figure]:
    used = case.used_figures
    return [
        figure
        for figure in case.figures
        if figure.cell is None and figure.cited and has_unit_of(figure, quantity) and figure not in used
    ]


def has_unit_of(figure: Figure, quantity: Quantity) -> bool:
    """Tell whether a figure has the unit of another: years are no rival of hours."""
    given = figure.quantity
    return given.measure == quantity.measure and (given.size == quantity.size or given.measure in CURRENCIES)


def _has_same_noun(case: ClaimCase, quantity: Quantity, figure: Figure) -> bool:
    """Tell whether two figures stand before the same words."""
    own = list_content_words(case.claim[quantity.end : quantity.end + 60])[:_NEAR_WORDS]
    stop = figure.start + len(figure.text)
    theirs = list_content_words(figure.sentence[stop : stop + 60])[:_NEAR_WORDS]
    return any(may_be_same_word(a, b) for a in own for b in theirs)


def _list_words_beside(case: ClaimCase, figure: Figure) -> list[str]:
    """Return the words that stand nearer to a figure than to another, within its part of the sentence."""
    text, (low, high) = figure.sentence, find_figure_sentence(figure)
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
            start = max(start, _find_word_start(text, (other.start + len(other.text) + figure.start) // 2))
        else:
            end = min(end, _find_word_end(text, (stop + other.start) // 2))
    return [*list_content_words(text[start : figure.start]), *list_content_words(text[stop:end])]
