import pytest

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.repeats import Repeats, find_repeats
from pincite.types import Document

TEXT = "The sea rose. The SEA fell, seas and all; 12 ships, 312 sails, 1.2 miles. (The sea rose.)"


@pytest.fixture
def concordance() -> Concordance:
    return build_concordance(Document("text", TEXT))


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ("The sea rose", [0, TEXT.rindex("The")]),
        ("**the** sea—rose", [0, TEXT.rindex("The")]),
        ("<b>the sea rose</b>", [0, TEXT.rindex("The")]),
        ("sea", [4, 18, TEXT.rindex("sea")]),
        ("ea", []),
        ("12", [TEXT.index("12")]),
        ("sails and ships", []),
        ("", []),
        ("…", []),
    ],
)
def test_a_passage_is_counted_where_locating_would_let_it_stand(
    concordance: Concordance, asked: str, places: list[int]
) -> None:
    assert find_repeats(concordance, asked) == Repeats(tuple(places))


def test_more_than_a_thousand_places_are_not_counted_to_the_end() -> None:
    counted = {
        times: find_repeats(build_concordance(Document("text", "a sea of seas " * times)), "sea")
        for times in (1000, 1001)
    }
    assert [(len(found.places), found.more) for found in counted.values()] == [(1000, False), (1000, True)]
