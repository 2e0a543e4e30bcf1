"""Words and numbers that were read out of their place are taken from beside the passage, and from nowhere else."""

from collections.abc import Sequence

import pytest
from tests import leaves
from tests.leaves import Cell

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.locate import locate
from pincite.locate.location import Location

FIRST = "The committee agreed upon the annual budget"
SECOND = "without a vote and its members went home"
AFTER = FIRST.index(" upon")
REST = ("Several residents complained of the lamps", "along the promenade that burn all day long")


def minutes(*strays: Cell, first: str = FIRST, rest: Sequence[str] = REST) -> Concordance:
    """A page of four lines, and behind them in the text what stands anywhere on it."""
    return build_concordance(leaves.pdf([*leaves.lines(first, SECOND, *rest), *strays]))


def mark(text: str, line: float = 0, column: int = AFTER, drawn: int = 9) -> Cell:
    """A footnote's mark, set in the midst of a line."""
    return Cell(text, 60 + leaves.LETTER * column, line, drawn)


def asked(between: str) -> str:
    return f"{FIRST[:AFTER]} {between}{FIRST[AFTER:]} {SECOND}"


def lit(concordance: Concordance, found: Location) -> set[str]:
    return set(leaves.lit(concordance, found))


def test_a_number_that_stands_beside_its_neighbours_is_found_there() -> None:
    concordance = minutes(mark("12"))
    found = locate(concordance, asked("12"))
    assert lit(concordance, found) == {f"{FIRST}\n{SECOND}", "12"}
    assert found.how == "approximate"


def test_it_is_found_by_its_box_when_no_order_of_the_page_puts_it_there() -> None:
    # Between it and the line stands something else, in every order.
    between = [mark("x", column=80), mark("12", line=-0.7), mark("q", line=-0.35, column=AFTER + 8)]
    concordance = minutes(*between, mark("y", line=-0.7, column=80))
    assert not any("12thecommittee" in reading.letters for reading in concordance.readings())
    assert "12" in lit(concordance, locate(concordance, asked("12")))


def test_it_is_found_by_an_order_of_the_page_when_its_box_stands_elsewhere() -> None:
    far = Cell("12", 500, 40, 2)
    cells = [*leaves.lines(FIRST, SECOND), far, *(Cell(text, 60, line, line) for line, text in enumerate(REST, 3))]
    concordance = build_concordance(leaves.pdf(cells))
    assert locate(concordance, asked("12")).found
    assert not locate(concordance, asked("13")).found


def test_a_number_far_from_the_passage_is_not_its_number() -> None:
    for far in (mark("12", line=30), mark("12", line=8, column=90)):
        concordance = minutes(mark("x", line=5), far, mark("y", line=31))
        found = locate(concordance, asked("12"))
        assert not found.found
        assert found.refusal == "numbers"


def test_a_number_is_not_taken_when_another_stands_in_its_place() -> None:
    other = f"{FIRST[:AFTER]} 14{FIRST[AFTER:]}"
    assert locate(minutes(mark("12"), first=other), asked("14")).found
    assert not locate(minutes(mark("12"), first=other), asked("12")).found
    assert not locate(minutes(mark("12"), mark("14", line=0.1, column=AFTER + 3)), asked("13")).found


@pytest.mark.parametrize("there", ["112", "12.5", "1.2", "12,345", "3"])
def test_a_part_of_a_number_is_not_taken(there: str) -> None:
    assert locate(minutes(mark(there)), asked(there)).found
    assert not locate(minutes(mark(there)), asked("12")).found


def test_one_number_does_not_stand_for_two() -> None:
    said = asked("12").replace("vote and", "vote 12 and")
    assert not locate(minutes(mark("12")), said).found
    both = minutes(mark("12"), mark("12", line=1, column=SECOND.index(" and")))
    assert locate(both, said).found


def test_two_marks_that_changed_places_are_not_found() -> None:
    concordance = minutes(mark("12"), mark("47", line=1, column=SECOND.index(" and"), drawn=10))
    right, wrong = (
        asked(first).replace("vote and", f"vote {second} and") for first, second in (("12", "47"), ("47", "12"))
    )
    assert lit(concordance, locate(concordance, right)) >= {"12\n47"} or locate(concordance, right).found
    assert not locate(concordance, wrong).found


def test_at_the_end_of_a_passage_the_number_that_follows_must_be_its_own() -> None:
    concordance = minutes(
        mark("12", line=1, column=50), first=FIRST, rest=("47 residents complained of the lamps", REST[1])
    )
    assert locate(concordance, f"{FIRST} {SECOND} 47").found
    assert not locate(concordance, f"{FIRST} {SECOND} 48").found


def test_a_word_read_elsewhere_is_lit_where_it_stands_beside_the_passage() -> None:
    concordance = minutes(mark("harmonically"), mark("harmonically", line=20))
    found = locate(concordance, asked("harmonically"))
    page = concordance.document.text
    assert lit(concordance, found) == {f"{FIRST}\n{SECOND}", "harmonically"}
    assert (page.index("harmonically"), page.index("harmonically") + 12) in found.spans
    assert found.score > 0.99


def test_a_word_read_elsewhere_is_not_lit_when_it_stands_apart_or_within_another() -> None:
    for there in (mark("harmonically", line=20), mark("enharmonically")):
        concordance = minutes(mark("x", line=10), there, mark("y", line=21))
        assert lit(concordance, locate(concordance, asked("harmonically"))) == {f"{FIRST}\n{SECOND}"}


def test_a_word_of_a_letter_or_two_is_not_looked_for() -> None:
    concordance = minutes(mark("so"))
    found = locate(concordance, asked("so, harmonically,"))
    assert lit(concordance, found) == {f"{FIRST}\n{SECOND}"}


def test_with_a_word_beside_it_a_number_cannot_be_mistaken() -> None:
    concordance = minutes(mark("note 12"))
    assert lit(concordance, locate(concordance, asked("note 12"))) == {f"{FIRST}\n{SECOND}", "note 12"}
    assert not locate(concordance, asked("note 13")).found


def test_a_column_of_figures_read_apart_from_its_labels_is_found_beside_them() -> None:
    names = ("Harbour fees of the year", "Interest from reserves", "Sale of the old lamps")
    figures = ("1,204", "318", "77")
    cells = [Cell(name, 60, line, line) for line, name in enumerate(names)]
    cells += [Cell(figure, 260, line, 10 + line) for line, figure in enumerate(figures)]
    concordance = build_concordance(leaves.pdf(cells))
    rows = "\n".join(f"| {name} | {figure} |" for name, figure in zip(names, figures, strict=True))
    columns = "\n".join((*names, *figures))
    for said in (rows, columns):
        assert leaves.letters("".join(leaves.lit(concordance, locate(concordance, said)))) == leaves.letters(columns)
    assert not locate(concordance, rows.replace("318", "319")).found
    assert not locate(concordance, rows.replace("318", "-").replace("77", "318").replace("-", "77")).found


def test_a_word_and_a_number_are_not_taken_from_where_they_say_something_else() -> None:
    concordance = leaves.ready(
        "The trial enrolled patients in 111 hospitals of the region, up to 7\n"
        "In 9 the committee approved the repair of all bridges of the province"
    )
    assert not locate(concordance, "In 111 the committee approved the repair of all bridges of the province").found
