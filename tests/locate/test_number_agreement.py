"""Every digit counts: what is told here of numbers holds wherever a passage is looked for."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests import leaves
from tests.thorough import scale_examples

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.locate import locate
from pincite.types import Document

SENTENCES = (
    "In {} the committee approved {} million euros for the repair of bridges in the northern province.",
    "{} households answered, of which {} said that they would move within the year if rents rose again.",
    "The trial enrolled patients in {} hospitals of the region and followed them for some weeks, up to {}",
    "Net revenue rose to {} from {} a year earlier, while operating costs fell slightly in every region.",
)
DECIMAL = st.tuples(st.integers(0, 999), st.sampled_from(".,"), st.integers(0, 9_999)).map(
    lambda parts: "{}{}{}".format(*parts)
)
NUMBER = st.one_of(
    st.integers(0, 99_999).map(str),
    st.integers(1_000, 9_999_999).map("{:,}".format),
    st.integers(1_000, 9_999_999).map(lambda n: f"{n:,}".replace(",", "\u00a0")),
    DECIMAL,
)


def digits(number: str) -> str:
    return re.sub(r"\D", "", number)


@st.composite
def _reports(draw: st.DrawFn, number: st.SearchStrategy[str] = NUMBER) -> tuple[Concordance, str, list[str], list[str]]:
    """A document of four sentences with numbers; one of them, its numbers, and those of the others."""
    templates = draw(st.permutations(SENTENCES))
    numbers = [draw(st.lists(number, min_size=2, max_size=2)) for _ in templates]
    said = [template.format(*own) for template, own in zip(templates, numbers, strict=True)]
    document = draw(
        st.sampled_from(
            (Document("text", "\n\n".join(said)), leaves.pdf(leaves.lines(*said)), leaves.pdf(*map(leaves.lines, said)))
        )
    )
    chosen = draw(st.integers(0, 3))
    return (
        build_concordance(document),
        templates[chosen],
        numbers[chosen],
        [n for i, own in enumerate(numbers) if i != chosen for n in own],
    )


REPORT = _reports()
MANY = settings(max_examples=scale_examples(60), deadline=None)


@MANY
@given(REPORT, st.data())
def test_a_passage_with_one_digit_changed_added_or_dropped_is_not_found(
    report: tuple[Concordance, str, list[str], list[str]], data: st.DataObject
) -> None:
    document, template, numbers, _ = report
    said = template.format(*numbers)
    assert locate(document, said).found
    at = data.draw(st.sampled_from([i for i, char in enumerate(said) if char.isdigit()]))
    beside = said[at - 1 : at].isdigit() or said[at + 1 : at + 2].isdigit()
    others = [digit for digit in "0123456789" if digit != said[at]]
    changed = data.draw(
        st.one_of(
            st.sampled_from(others).map(lambda digit: said[:at] + digit + said[at + 1 :]),
            st.sampled_from("0123456789").map(lambda digit: said[:at] + digit + said[at:]),
            st.just(said[:at] + said[at + 1 :] if beside else said[:at] + "8" + said[at:]),
        )
    )
    assert not locate(document, changed).found


@MANY
@given(_reports(DECIMAL), st.data())
def test_a_decimal_point_is_neither_lost_nor_moved(
    report: tuple[Concordance, str, list[str], list[str]], data: st.DataObject
) -> None:
    document, template, numbers, _ = report
    said = template.format(*numbers)
    # Before three digits it may as well set thousands apart.
    points = [match.start() for match in re.finditer(r"(?<=\d)[.,](?=\d)(?!\d{3}(?!\d))", said)]
    assume(points)
    at = data.draw(st.sampled_from(points))
    rest = said[at + 1 :]
    changed = data.draw(
        st.sampled_from(
            (
                said[:at] + rest,
                said[: at - 1] + said[at] + said[at - 1] + rest,
                said[:at] + rest[0] + said[at] + rest[1:],
            )
        )
    )
    assert not locate(document, changed).found


@MANY
@given(REPORT)
def test_two_numbers_do_not_change_places(report: tuple[Concordance, str, list[str], list[str]]) -> None:
    document, template, (one, other), _ = report
    assume(digits(one) != digits(other))
    assert not locate(document, template.format(other, one)).found


@MANY
@given(REPORT, st.data())
def test_a_number_of_another_sentence_does_not_stand_in(
    report: tuple[Concordance, str, list[str], list[str]], data: st.DataObject
) -> None:
    document, template, numbers, elsewhere = report
    place, other = data.draw(st.integers(0, 1)), data.draw(st.sampled_from(elsewhere))
    assume(digits(other) != digits(numbers[place]))
    changed = [other if i == place else number for i, number in enumerate(numbers)]
    assert not locate(document, template.format(*changed)).found


@MANY
@given(st.lists(st.lists(NUMBER, min_size=3, max_size=3), min_size=3, max_size=6), st.data())
def test_a_changed_digit_in_a_cell_of_a_table_is_not_found(cells: list[list[str]], data: st.DataObject) -> None:
    names = ("Alpha region north", "Beta region south", "Gamma district", "Delta province", "Epsilon area", "Zeta town")
    rows = [[name, *row] for name, row in zip(names, cells, strict=False)]
    document = build_concordance(leaves.pdf(leaves.table(*rows)))
    row, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(1, 3))
    shown = data.draw(st.sampled_from((rows, [rows[row]])))
    between = data.draw(st.sampled_from((" | ", " ", "\t")))

    def told() -> str:
        return "\n".join(between.join(each) for each in shown)

    assume(len(leaves.letters(told())) >= 20)
    assert locate(document, told()).found
    cell = rows[row][column]
    at = data.draw(st.sampled_from([i for i, char in enumerate(cell) if char.isdigit()]))
    rows[row][column] = cell[:at] + str((int(cell[at]) + data.draw(st.integers(1, 9))) % 10) + cell[at + 1 :]
    assert not locate(document, told()).found


def test_a_number_is_not_made_of_cells_of_two_rows() -> None:
    """By columns the second ones read 1, 100, 100.1000, 100, 1000: neither 1100 nor 10001 is a number among them."""
    rows = (
        ("Alpha region north", "1,000", "1", "100.1000"),
        ("Beta region south", "0,1000", "100", "0,1"),
        ("Gamma district", "0", "100.1000", "1000"),
        ("Delta province", "0,1000", "100", "10000"),
        ("Epsilon area", "100.1000", "1000", "100,1000"),
    )
    document = build_concordance(leaves.pdf(leaves.table(*rows)))
    for row, column, changed in ((3, 3, "10001"), (4, 2, "1100"), (2, 1, "1")):
        told = [changed if place == column else cell for place, cell in enumerate(rows[row])]
        for between in ("\t", " | "):
            assert locate(document, between.join(rows[row])).found
            assert not locate(document, between.join(told)).found


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f"])
def test_numbers_of_a_column_with_any_space_between_them_are_several(space: str) -> None:
    rows = (
        ("Alpha region north", "27.8", "41"),
        ("Beta region south", "25.0", "9"),
        ("Gamma district", "60000", "17"),
        ("Delta province", "32.2", "88"),
    )
    document = build_concordance(leaves.pdf(leaves.table(*rows)))
    names, first, second = zip(*rows, strict=True)
    told = " ".join((*names, space.join(first), space.join(second)))
    assert locate(document, told).found
    assert not locate(document, told.replace("60000", "60001")).found


@given(st.integers(1_000, 99_999_999), st.permutations((",", "\u00a0", "\u202f", "’", "")))
@settings(max_examples=scale_examples(30), deadline=None)
def test_the_separator_of_thousands_makes_no_difference(number: int, marks: list[str]) -> None:
    sentence = "The region spent {} euros upon roads and bridges."
    document = leaves.plain(sentence.format(f"{number:,}".replace(",", marks[0])))
    assert locate(document, sentence.format(f"{number:,}".replace(",", marks[1]))).found


COPY = (
    "It is clear that the following conditions apply to all loans: a term of 13 years, 12.5 percent interest, "
    "and a deposit of 1,000 euros which the borrower pays before the contract is signed by both parties."
)


@pytest.mark.parametrize(
    ("right", "read"),
    [
        ("following", "f0llowing"),
        ("clear", "c1ear"),
        ("13 years", "l3 years"),
        ("all loans", "a1l loans"),
        ("is signed", "i5 5igned"),
    ],
)
def test_a_digit_misread_in_a_word_or_a_letter_in_a_number_is_tolerated(right: str, read: str) -> None:
    document = leaves.ready(COPY)
    (span,) = locate(document, COPY.replace(right, read)).spans
    assert document.document.text[slice(*span)] == COPY


@pytest.mark.parametrize(
    ("right", "read"),
    [
        ("13", "I8"), ("13", "18"), ("1,000", "1,0OO8"), ("12.5 percent", "125 percent"), ("12.5", "1.25"),
        ("13", "l4"), ("loans", "10ans 7"), ("12.5", "12.6"), ("a term", "4 term"),
    ],
)  # fmt: skip
def test_a_digit_that_looks_like_no_other_is_not(right: str, read: str) -> None:
    assert locate(leaves.ready(COPY), COPY).found
    assert not locate(leaves.ready(COPY), COPY.replace(right, read)).found


def test_a_bad_copy_may_lose_a_point_and_a_clean_one_may_not() -> None:
    document = leaves.ready(COPY)
    slips = {"clear": "clcar", "following": "fcllowing", "conditions": "conditlons", "interest": "intcrest"}
    slips |= {"deposit": "deposlt", "borrower": "borrowcr", "before": "beforc", "contract": "contracl"}
    bad = COPY
    for right, read in slips.items():
        bad = bad.replace(right, read)
    assert locate(document, bad.replace("12.5", "125")).found
    assert not locate(document, bad.replace("12.5", "1.25")).found
    assert not locate(document, bad.replace("12.5", "1265")).found
    assert not locate(document, COPY.replace("12.5", "125")).found
    # A point that only the copy has was not lost.
    assert not locate(document, bad.replace("13 years", "1.3 years")).found


@pytest.mark.parametrize(("there", "given"), [("<", ">"), ("≥", "<"), ("+", "−"), ("=", "≠"), ("-", "+")])
def test_the_opposite_sign_is_another_number(there: str, given: str) -> None:
    sentence = "The patients improved markedly in the trial (p {} 0.05) and none withdrew."
    document = leaves.plain(sentence.format(there))
    assert locate(document, sentence.format(there)).found
    assert locate(document, sentence.format("")).found
    assert not locate(document, sentence.format(given)).found


def test_a_number_is_never_cut() -> None:
    document = leaves.plain("Of the 12345 households that were asked 67,890 answered")
    assert locate(document, "12345 households that were asked 67,890").found
    for cut in (
        "345 households that were asked",
        "households that were asked 67",
        "2345 households that were asked 67,890 answered",
    ):
        assert not locate(document, cut).found
    assert not locate(document, "households that were asked 67,89").found


def test_a_fraction_is_not_its_digits() -> None:
    document = leaves.plain("Add ½ cup of the flour and stir it in slowly")
    assert locate(document, "Add ½ cup of the flour").found
    assert not locate(document, "Add 12 cup of the flour").found


def test_commas_between_cells_are_no_decimal_points() -> None:
    document = build_concordance(
        leaves.pdf(leaves.table(("Northern region", "12", "5"), ("Southern region", "34", "61")))
    )
    assert locate(document, "Northern region,12,5\nSouthern region,34,61").found
    assert not locate(document, "Northern region 12.5 Southern region 34 61").found


def test_numbers_that_only_the_document_has_may_be_left_out() -> None:
    document = leaves.plain("The committee 4 agreed upon the annual budget 12 and the members went home.")
    assert locate(document, "The committee agreed upon the annual budget and the members went home.").found


def test_another_number_beside_its_neighbours_cannot_be_skipped() -> None:
    document = leaves.plain(
        "They were followed for some weeks after the trial, up to 7\n\n"
        "11 households of the town answered all of the questions, up to 10000\n\n"
        "In 7 the committee approved the repair of all bridges of the province"
    )
    assert locate(document, "They were followed for some weeks after the trial, up to 7").found
    assert not locate(document, "They were followed for some weeks after the trial, up to 11").found
    assert not locate(document, "In 10000 the committee approved the repair of all bridges of the province").found


def test_a_number_that_only_the_document_has_may_stand_beside_one_of_the_passages() -> None:
    document = leaves.ready(
        "The committee of the town agreed upon a sum of", "12 45 million euros for the repair of bridges."
    )
    assert locate(
        document, "The committee of the town agreed upon a sum of 45 million euros for the repair of bridges."
    ).found
