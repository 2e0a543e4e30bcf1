"""Check figures against tables that a page writes as lists: a label on one line, its figures on the lines below.

"2 rooms" / "45 €" / "3 rooms" / "60 €": a sentence with 2 rooms and 60 € takes a figure from another label.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.proof.claim_case import ClaimCase
from pincite.proof.figures import Figure, has_same_value
from pincite.text.quantities import Quantity


@dataclass(frozen=True, slots=True)
class _LabelEntry:
    """The figures of a label's line, and the figures that stand alone on the lines below."""

    label: tuple[Figure, ...]
    values: tuple[Figure, ...]


def find_rival_in_list(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """Return the figure below the label that a sentence names, if its own figure stands below another label."""
    others = [other for other in case.found if other is not quantity]
    if not others or any(figure.cell is not None for figure in found):
        return None
    entries = {text: _read_entries(text, case.figures) for text in dict.fromkeys(f.sentence for f in found)}
    own = [entry for figure in found for entry in entries[figure.sentence] if figure in entry.values]
    everywhere = len(own) == len(found) or (bool(own) and not any(figure.cited for figure in found))
    if not own or not everywhere or any(_is_named(entry, others) or not entry.label for entry in own):
        return None
    cited = entries.get(case.cited) or _read_entries(case.cited, case.figures)
    named = [entry for entry in cited if _is_named(entry, others)]
    if len(named) != 1:
        return None
    place = own[0].values.index(next(figure for figure in found if figure in own[0].values))
    if len(named[0].values) != len(own[0].values):
        return None
    rival = named[0].values[place]
    unit = rival.quantity.measure == quantity.measure and rival.quantity.size == quantity.size
    return (
        rival.text.strip() if unit and not has_same_value(quantity, rival) and rival not in case.used_figures else None
    )


def _is_named(entry: _LabelEntry, others: Sequence[Quantity]) -> bool:
    return any(has_same_value(other, figure) for other in others for figure in entry.label)


def _read_entries(text: str, figures: Sequence[Figure]) -> list[_LabelEntry]:
    """Return the labels of a text below which figures stand alone, in order."""
    inside = iter([figure for figure in figures if figure.sentence is text and figure.cell is None])
    figure = next(inside, None)
    found: list[_LabelEntry] = []
    label: tuple[Figure, ...] = ()
    values: list[Figure] = []
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        own = []
        while figure is not None and figure.start < end:
            own.append(figure)
            figure = next(inside, None)
        if len(own) == 1 and line.strip() == own[0].text.strip():
            values.append(own[0])
        elif line.strip():
            if values:
                found.append(_LabelEntry(label, tuple(values)))
            label, values = tuple(own), []
        at = end + 1
    return [*found, _LabelEntry(label, tuple(values))] if values else found
