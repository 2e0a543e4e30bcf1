"""Passages of which no place is the same: the likest is found, or none."""

import logging

import pytest
from tests import leaves

from pincite.locate.approximate_match import compute_required_likeness, find_most_alike
from pincite.locate.locate import locate
from pincite.locate.quotation import prepare_quotation

PAGES = (
    "The committee met in the spring and agreed upon the annual budget without a vote.\n"
    "Members who had been absent were told of the decision by letter within the week.",
    "The committee met in the autumn and agreed upon the harbour fees without a vote.\n"
    "Several residents complained that lamps along the promenade were left burning.",
    "A proposal to widen the northern bridge was put off until engineers have reported.",
)


def test_the_likest_of_several_like_places_is_found() -> None:
    concordance = leaves.ready(*PAGES)
    for page in (0, 1):
        sentence = PAGES[page].split("\n")[0]
        said = sentence.replace("committee", "comittee").replace("agreed", "agrced")
        assert leaves.lit(concordance, locate(concordance, said)) == [sentence]


def test_a_passage_as_like_on_two_pages_is_found_on_the_page_given() -> None:
    concordance = leaves.ready(PAGES[0], PAGES[2], PAGES[0])
    said = PAGES[0].replace("spring", "sprang").replace("letter", "lettre")
    for page in concordance.document.pages[::2]:
        (first, *_), (*_, last) = zip(*locate(concordance, said, (page.number,)).spans, strict=True)
        assert page.start <= first < last <= page.end


def test_a_page_given_wrongly_costs_nothing() -> None:
    concordance = leaves.ready(*PAGES)
    said = PAGES[0].replace("spring", "sprang").replace("letter", "lettre")
    assert locate(concordance, said, (3,)) == locate(concordance, said, (2, 77)) == locate(concordance, said)
    assert locate(concordance, said).found


def test_a_passage_that_runs_over_the_end_of_a_page_is_found_on_both() -> None:
    halves = (
        "The treasurer explained how reserves are kept and",
        "why interest has been falling, but few understood him.",
    )
    concordance = leaves.ready(f"Minutes of the board.\n{halves[0]}", f"{halves[1]}\nThe end of it.")
    said = " ".join(halves).replace("reserves", "rescrves").replace("interest", "intcrest")
    assert leaves.lit(concordance, locate(concordance, said)) == ["\n\n".join(halves)]


def test_passages_of_other_documents_are_not_found() -> None:
    concordance = leaves.ready(*PAGES)
    for said in (
        "The committee of the whole house considered in the spring the report of the select commission on railways.",
        "Residents of the northern bridge district have long complained that nobody reads what engineers report.",
        "Das Komitee traf sich im Frühling und beschloss den Haushalt ohne Abstimmung der Mitglieder.",
    ):
        found = locate(concordance, said)
        assert not found.found
        assert found.refusal in ("absent", "different")


def test_the_shorter_a_passage_and_the_more_it_leaps_the_liker_a_place_must_be() -> None:
    least = [compute_required_likeness(count, 0) for count in (16, 40, 80, 200)]
    assert least == sorted(least, reverse=True)
    assert (
        compute_required_likeness(200, 0)
        < compute_required_likeness(200, 3)
        <= compute_required_likeness(200, 10**6)
        < 1
    )


@pytest.mark.parametrize("words", [2, 12])
def test_a_passage_with_other_words_in_it_is_refused_when_they_are_too_many(words: int) -> None:
    concordance = leaves.ready(*PAGES)
    parts = PAGES[0].replace("\n", " ").split()
    for i in range(words):
        parts[2 * i + 1] = "zzzzzz"
    found = locate(concordance, " ".join(parts))
    assert found.found == (words == 2)
    if not found.found:
        assert found.refusal in ("absent", "different")


def test_the_nearest_passage_is_told_though_it_is_not_lit() -> None:
    concordance = leaves.ready(*PAGES)
    first = PAGES[0].split("\n")[0]
    found = locate(concordance, first.replace("annual budget", "annual 12 budget").replace("The com", "Tha com"))
    assert (found.spans, found.refusal) == ((), "numbers")
    assert [concordance.document.text[slice(*span)].rstrip(".") for span in found.nearest] == [first.rstrip(".")]


def test_nothing_is_nearest_when_nothing_is_shared() -> None:
    assert find_most_alike(leaves.ready(*PAGES), prepare_quotation("quixotic zebras juggle twelve mangoes")) is None
    assert find_most_alike(leaves.plain(""), prepare_quotation("quixotic zebras juggle twelve mangoes")) is None


def test_every_place_that_is_looked_at_is_told_to_whoever_asks(caplog: pytest.LogCaptureFixture) -> None:
    concordance = leaves.ready(*PAGES)
    with caplog.at_level(logging.DEBUG, "pincite.locate"):
        locate(concordance, PAGES[0].replace("spring", "sprang"))
    assert any("sheets 1 to 1" in record.getMessage() and "score" in record.getMessage() for record in caplog.records)
    assert all(record.getMessage().startswith("[PDF]") for record in caplog.records)
