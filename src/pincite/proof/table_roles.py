"""The cell that a sentence names by its row and column, where its figure stands in another one."""

from collections import Counter
from collections.abc import Sequence

from pincite.evidence.quantities import Quantity
from pincite.proof.case import Case
from pincite.proof.figures import Figure, head_key, read_prose, says, years_of
from pincite.proof.places import pair_years
from pincite.proof.table_cells import is_blank
from pincite.proof.words import content_words, shared, squeeze

_MOST = 0.5  # of a label's words, more of which name a row


def find_rival_in_tables(case: Case, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    rival: str | None = None
    for figure in found:
        column = _rival_column(case, quantity, figure)
        row = None if column else _rival_row(case, quantity, figure)
        if column is None and row is None:
            return None
        rival = rival or column or row
    return rival


def find_rival_in_named_row(case: Case, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """The figure of a cited row that the sentence names in full, where this one stands in a row it names less well."""
    best = max(_coverage(case, _last_label(figure)) for figure in found)
    labels = {squeeze(_last_label(figure)) for figure in found}
    rivals = {
        figure.text
        for figure in find_named_cells(case, quantity)
        if _coverage(case, _last_label(figure)) > best or squeeze(_last_label(figure)) in labels
    }
    return next(iter(rivals)) if len(rivals) == 1 else None


def find_named_cells(case: Case, quantity: Quantity) -> list[Figure]:
    """The cells whose row and column the sentence names and whose figures it does not use."""
    used = case.used
    found = []
    for figure in case.figures:
        if figure.row is None or figure.cell is None or not figure.cited or figure in used:
            continue
        share = figure.quantity.measure == "percent"
        if share != (quantity.measure in ("percent", "points")) or _coverage(case, _last_label(figure)) <= _MOST:
            continue
        years = years_of(figure.cell.head)
        if years & case.claim_years or (share and not years):
            found.append(figure)
    return found


def _last_label(figure: Figure) -> str:
    return figure.row.label.rsplit(" › ", 1)[-1] if figure.row else ""


def _same_row(case: Case, figure: Figure) -> list[Figure]:
    return [other for other in case.figures if other.row is figure.row]


def _rival_column(case: Case, quantity: Quantity, figure: Figure) -> str | None:
    """The figure in the same row under the head that the sentence names, where this one stands under another."""
    assert figure.cell is not None
    own = years_of(figure.cell.head)
    key = head_key(figure.cell.head)
    others = [other for other in _same_row(case, figure) if other is not figure and other.cell and other.cell.head]
    if own and case.claim_years:
        year = pair_years(case.claim, case.quantities, quantity)
        wanted = frozenset((year,)) if year else case.claim_years
        if not own & wanted:
            dated = [o for o in others if o.cell and years_of(o.cell.head) & wanted]
            rivals = [o for o in dated if o.cell and head_key(o.cell.head) == key] or (dated if len(dated) == 1 else [])
            rivals = [other for other in rivals if not says(quantity, other, case.scales)]
            if not rivals:
                return None if dated else _find_blank(figure, wanted)
            quoted = any(rivals[0] in figures for q, figures in case.found.items() if q is not quantity)
            return None if quoted and not year else rivals[0].text
        return _rival_words(case, quantity, figure, [o for o in others if o.cell and years_of(o.cell.head) & own])
    return _rival_words(case, quantity, figure, others) or _rival_numbers(case, quantity, figure, others)


def _find_blank(figure: Figure, years: frozenset[int]) -> str | None:
    """The dash in the same row under a head with one of these years and otherwise the same words."""
    assert figure.cell is not None
    assert figure.row is not None
    key = head_key(figure.cell.head)
    named = [cell for cell in figure.row.cells if years_of(cell.head) & years and head_key(cell.head) == key]
    return next((cell.text for cell in named if is_blank(cell.text)), None)


def _rival_numbers(case: Case, quantity: Quantity, figure: Figure, others: Sequence[Figure]) -> str | None:
    """The figure of the column whose numbers the sentence says, where it does not say this one's: "1-3 years"."""
    assert figure.cell is not None
    heads = {other.cell.head: other for other in others if other.cell and not says(quantity, other, case.scales)}
    fits = [other for head, other in heads.items() if _says_numbers(case, head)]
    if not _numbers_of(figure.cell.head) or _says_numbers(case, figure.cell.head) or len(fits) != 1:
        return None
    return fits[0].text


def _numbers_of(head: str) -> list[Figure]:
    return [each for each in read_prose(head, True) if each.quantity.measure]


def _says_numbers(case: Case, head: str) -> bool:
    """Tell whether a sentence says all numbers of a head."""
    numbers = _numbers_of(head)
    return bool(numbers) and all(any(says(q, each) for q in case.quantities) for each in numbers)


def _rival_words(case: Case, quantity: Quantity, figure: Figure, others: Sequence[Figure]) -> str | None:
    """The figure of the column whose own words the sentence has, where it has none of this column's own."""
    assert figure.cell is not None
    head = Counter(head_key(figure.cell.head).split())
    label = content_words(figure.row.label) if figure.row else ()
    words = [word for word in case.words if not shared([word], label)]
    fits = []
    for other in others:
        assert other.cell is not None
        rival = Counter(head_key(other.cell.head).split())
        own, theirs = list((head - rival).elements()), list((rival - head).elements())
        if own and shared(own, words) and len(shared(own, words)) >= len(shared(theirs, words)):
            continue
        named = all(shared([word], words) or _is_shortened(word, words) for word in theirs)
        if own and theirs and named and not says(quantity, other, case.scales):
            fits.append(other)
    if len({id(each.cell) for each in fits}) != 1:
        return None
    place = [other for other in _same_row(case, figure) if other.cell is figure.cell].index(figure)
    fit = fits[min(place, len(fits) - 1)]  # of a range, its end
    return None if any(fit in figures for q, figures in case.found.items() if q is not quantity) else fit.text


def _is_shortened(word: str, words: Sequence[str]) -> bool:
    """Tell whether a word of a head is the beginning of one of the sentence: "excl." for "excluding"."""
    return len(word) > 3 and any(other.startswith(word) for other in words)


def _rival_row(case: Case, quantity: Quantity, figure: Figure) -> str | None:
    """The figure in the row that the sentence names, where this one stands in another."""
    assert figure.row is not None
    assert figure.cell is not None
    last = figure.row.label.rsplit(" › ", 1)[-1]
    own, covered = _row_score(case, figure.row.label), _coverage(case, last)
    best: tuple[tuple[int, float], str] | None = None
    used = case.used
    for other in case.figures:
        if other.row is None or other.cell is None or other.row is figure.row or says(quantity, other, case.scales):
            continue
        if not _same_column(figure, other) or other in used:
            continue
        named = other.row.label.rsplit(" › ", 1)[-1]
        score = _row_score(case, other.row.label)
        # A row that was not cited must be named by more words than the cited one.
        better = score > own if other.cited or not figure.cited else score[0] > own[0] + 1
        twin = squeeze(named) == squeeze(last) and bool(last) and better
        instead = covered == 0 and other.table is figure.table and _coverage(case, named) == 1 and other.cited
        if (twin or instead) and (best is None or score > best[0]):
            best = (score, other.text)
    return best[1] if best else None


def _same_column(figure: Figure, other: Figure) -> bool:
    assert figure.cell is not None
    assert other.cell is not None
    if figure.table is other.table:
        return figure.cell.head == other.cell.head and bool(figure.cell.head)
    return years_of(figure.cell.head) == years_of(other.cell.head) and bool(years_of(other.cell.head))


def _coverage(case: Case, label: str) -> float:
    """The share of a label's words that the sentence has."""
    words = content_words(label)
    return len(shared(words, case.words)) / len(words) if words else 0.0


def _row_score(case: Case, label: str) -> tuple[int, float]:
    """How many words of the sentence a row's label has, then how much of the label the sentence has."""
    words = frozenset(content_words(label))
    return len(shared(case.words, words)), _coverage(case, label)
