"""Find the cell that a sentence names by its row and column, when its figure stands in another cell."""

from collections import Counter
from collections.abc import Sequence

from pincite.proof.claim_case import ClaimCase
from pincite.proof.figures import Figure, find_years, has_same_value, make_head_key, read_prose
from pincite.proof.shared_words import list_content_words, list_shared_words
from pincite.proof.table_cells import is_blank
from pincite.proof.text_positions import pair_years
from pincite.text.folding import fold_alphanumerics
from pincite.text.quantities import Quantity

_MOST = 0.5  # of a label's words, more of which name a row


def find_rival_in_tables(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    rival: str | None = None
    for figure in found:
        column = _find_rival_column(case, quantity, figure)
        row = None if column else _find_rival_row(case, quantity, figure)
        if column is None and row is None:
            return None
        rival = rival or column or row
    return rival


def find_rival_in_named_row(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """Return the figure of a cited row that the sentence names fully, if this figure's row is named less well."""
    best = max(_measure_coverage(case, figure.label) for figure in found)
    labels = {fold_alphanumerics(figure.label) for figure in found}
    rivals = {
        figure.text
        for figure in find_named_cells(case, quantity)
        if _measure_coverage(case, figure.label) > best or fold_alphanumerics(figure.label) in labels
    }
    return next(iter(rivals)) if len(rivals) == 1 else None


def find_named_cells(case: ClaimCase, quantity: Quantity) -> list[Figure]:
    """Return the cells whose row and column the sentence names, and whose figures it does not use."""
    used = case.used_figures
    found = []
    for figure in case.figures:
        if figure.row is None or figure.cell is None or not figure.cited or figure in used:
            continue
        share = figure.quantity.measure == "percent"
        if share != (quantity.measure in ("percent", "points")) or _measure_coverage(case, figure.label) <= _MOST:
            continue
        years = find_years(figure.cell.head)
        if years & case.claim_years or (share and not years):
            found.append(figure)
    return found


def _list_row_figures(case: ClaimCase, figure: Figure) -> list[Figure]:
    return [other for other in case.figures if other.row is figure.row]


def _find_rival_column(case: ClaimCase, quantity: Quantity, figure: Figure) -> str | None:
    """Return the figure of the same row under the head that the sentence names, if this one stands under another."""
    assert figure.cell is not None
    own = find_years(figure.cell.head)
    key = make_head_key(figure.cell.head)
    others = [
        other for other in _list_row_figures(case, figure) if other is not figure and other.cell and other.cell.head
    ]
    if own and case.claim_years:
        year = pair_years(case.claim, case.quantities, quantity)
        wanted = frozenset((year,)) if year else case.claim_years
        if not own & wanted:
            dated = [o for o in others if o.cell and find_years(o.cell.head) & wanted]
            rivals = [o for o in dated if o.cell and make_head_key(o.cell.head) == key] or (
                dated if len(dated) == 1 else []
            )
            rivals = [other for other in rivals if not has_same_value(quantity, other, case.scales)]
            if not rivals:
                return None if dated else _find_blank(figure, wanted)
            quoted = any(rivals[0] in figures for q, figures in case.found.items() if q is not quantity)
            return None if quoted and not year else rivals[0].text
        return _find_rival_by_words(
            case, quantity, figure, [o for o in others if o.cell and find_years(o.cell.head) & own]
        )
    return _find_rival_by_words(case, quantity, figure, others) or _find_rival_by_numbers(
        case, quantity, figure, others
    )


def _find_blank(figure: Figure, years: frozenset[int]) -> str | None:
    """Return the dash in the same row under a head with one of these years and otherwise the same words."""
    assert figure.cell is not None
    assert figure.row is not None
    key = make_head_key(figure.cell.head)
    named = [cell for cell in figure.row.cells if find_years(cell.head) & years and make_head_key(cell.head) == key]
    return next((cell.text for cell in named if is_blank(cell.text)), None)


def _find_rival_by_numbers(case: ClaimCase, quantity: Quantity, figure: Figure, others: Sequence[Figure]) -> str | None:
    """Return the figure of the column whose numbers the sentence gives, if it does not give this one's: "1-3 years"."""
    assert figure.cell is not None
    heads = {
        other.cell.head: other for other in others if other.cell and not has_same_value(quantity, other, case.scales)
    }
    fits = [other for head, other in heads.items() if _has_head_numbers(case, head)]
    if not _list_head_numbers(figure.cell.head) or _has_head_numbers(case, figure.cell.head) or len(fits) != 1:
        return None
    return fits[0].text


def _list_head_numbers(head: str) -> list[Figure]:
    return [each for each in read_prose(head, True) if each.quantity.measure]


def _has_head_numbers(case: ClaimCase, head: str) -> bool:
    """Tell whether a sentence says all numbers of a head."""
    numbers = _list_head_numbers(head)
    return bool(numbers) and all(any(has_same_value(q, each) for q in case.quantities) for each in numbers)


def _find_rival_by_words(case: ClaimCase, quantity: Quantity, figure: Figure, others: Sequence[Figure]) -> str | None:
    """Return the figure of the column whose own words the sentence has, if it has none of this column's own."""
    assert figure.cell is not None
    head = Counter(make_head_key(figure.cell.head).split())
    label = list_content_words(figure.row.label) if figure.row else ()
    words = [word for word in case.words if not list_shared_words([word], label)]
    fits = []
    for other in others:
        assert other.cell is not None
        rival = Counter(make_head_key(other.cell.head).split())
        own, theirs = list((head - rival).elements()), list((rival - head).elements())
        if (
            own
            and list_shared_words(own, words)
            and len(list_shared_words(own, words)) >= len(list_shared_words(theirs, words))
        ):
            continue
        named = all(list_shared_words([word], words) or _is_shortened(word, words) for word in theirs)
        if own and theirs and named and not has_same_value(quantity, other, case.scales):
            fits.append(other)
    if len({id(each.cell) for each in fits}) != 1:
        return None
    place = [other for other in _list_row_figures(case, figure) if other.cell is figure.cell].index(figure)
    fit = fits[min(place, len(fits) - 1)]  # of a range, its end
    return None if any(fit in figures for q, figures in case.found.items() if q is not quantity) else fit.text


def _is_shortened(word: str, words: Sequence[str]) -> bool:
    """Tell whether a word of a head is the beginning of one of the sentence: "excl." for "excluding"."""
    return len(word) > 3 and any(other.startswith(word) for other in words)


def _find_rival_row(case: ClaimCase, quantity: Quantity, figure: Figure) -> str | None:
    """Return the figure in the row that the sentence names, if this one stands in another row."""
    assert figure.row is not None
    assert figure.cell is not None
    last = figure.label
    own, covered = _score_row(case, figure.row.label), _measure_coverage(case, last)
    best: tuple[tuple[int, float], str] | None = None
    used = case.used_figures
    for other in case.figures:
        if (
            other.row is None
            or other.cell is None
            or other.row is figure.row
            or has_same_value(quantity, other, case.scales)
        ):
            continue
        if not _is_same_column(figure, other) or other in used:
            continue
        named = other.label
        score = _score_row(case, other.row.label)
        # A row that was not cited must be named by more words than the cited one.
        better = score > own if other.cited or not figure.cited else score[0] > own[0] + 1
        twin = fold_alphanumerics(named) == fold_alphanumerics(last) and bool(last) and better
        instead = covered == 0 and other.table is figure.table and _measure_coverage(case, named) == 1 and other.cited
        if (twin or instead) and (best is None or score > best[0]):
            best = (score, other.text)
    return best[1] if best else None


def _is_same_column(figure: Figure, other: Figure) -> bool:
    assert figure.cell is not None
    assert other.cell is not None
    if figure.table is other.table:
        return figure.cell.head == other.cell.head and bool(figure.cell.head)
    return find_years(figure.cell.head) == find_years(other.cell.head) and bool(find_years(other.cell.head))


def _measure_coverage(case: ClaimCase, label: str) -> float:
    """Return the share of a label's words that the sentence has."""
    words = list_content_words(label)
    return len(list_shared_words(words, case.words)) / len(words) if words else 0.0


def _score_row(case: ClaimCase, label: str) -> tuple[int, float]:
    """Return how many words of the sentence a row's label has, then the share of the label that the sentence has."""
    words = frozenset(list_content_words(label))
    return len(list_shared_words(case.words, words)), _measure_coverage(case, label)
