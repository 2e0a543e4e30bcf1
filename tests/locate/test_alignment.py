"""How a passage lies over a stretch of a document that is like it."""

import re
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import leaves
from tests.thorough import scale_examples

from pincite.locate.alignment import Alignment, LetterStretch, align_passage
from pincite.locate.matching_runs import find_equal_runs
from pincite.text.squeeze import squeeze

SENTENCE = "The committee met in the spring and agreed upon the annual budget without a vote"
TEXT = f"Members were told of it. {SENTENCE}. Revenue from harbour fees increased in the autumn."


def laid(passage: str, text: str = TEXT) -> Alignment | None:
    concordance = leaves.plain(text)
    codes, own = squeeze(passage).codes, concordance.own
    stretch = LetterStretch(own.codes, *concordance.find_starts(own, 0, len(own.codes)))
    return align_passage(codes, stretch, find_equal_runs(codes, own.codes))


def lit(passage: str, text: str = TEXT) -> list[str]:
    """The pieces of the text that stand for a passage, in the passage's order."""
    found = laid(passage, text)
    places = squeeze(text).places
    return [text[places[start] : places[end - 1] + 1] for start, end in found.pieces] if found else []


def test_a_passage_lies_over_its_own_letters() -> None:
    found = laid(SENTENCE)
    assert found
    assert (lit(SENTENCE), found.score, found.leaps) == ([SENTENCE], 1, 0)
    assert found.equal.all()
    assert all(b == a + 1 for a, b in pairwise(found.places.tolist()))


def test_a_word_of_which_letters_differ_is_taken_whole_wherever_it_stands() -> None:
    for right, wrong in (
        ("spring", "sprinq"),
        ("The", "Tha"),
        ("vote", "vota"),
        ("vote", "vot"),
        ("The c", "he c"),
        ("committee", "comittee"),
    ):
        assert lit(SENTENCE.replace(right, wrong)) == [SENTENCE]


def test_words_that_only_the_passage_has_stand_for_nothing() -> None:
    for more in (
        f"In other words, {SENTENCE}",
        f"{SENTENCE} and nobody objected to that",
        SENTENCE.replace(" and agreed", " and all agreed"),
    ):
        found = laid(more)
        assert found
        assert lit(more) == [SENTENCE]
        assert 0.7 < found.score < 1
        assert (found.places[~found.equal] < 0).any()


def test_words_that_only_the_document_has_are_lit_within_a_line_and_weigh() -> None:
    shorter = SENTENCE.replace("met in the spring and ", "")
    found = laid(shorter)
    assert found
    assert lit(shorter) == [SENTENCE]
    assert found.equal.all()
    assert found.score < 0.9


def test_whole_lines_that_the_passage_leaves_out_are_not_lit() -> None:
    text = SENTENCE.replace(" and agreed", "\nPage 12 of the minutes of the town\nand agreed")
    halves = [SENTENCE[: SENTENCE.index(" and")], SENTENCE[SENTENCE.index("and agreed") :]]
    assert lit(SENTENCE, text) == halves
    assert lit(SENTENCE.replace(" and agreed", " (where something else is said) and agreed"), text) == halves


def test_a_line_of_which_some_letters_differ_is_no_other_line() -> None:
    text = SENTENCE.replace("met in the spring", "\nmet in the sprlng of lhe year\n")
    assert len(lit(SENTENCE.replace("spring", "spring of the year"), text)) == 1


def test_the_document_may_leap_forth_and_back() -> None:
    revenue = "Revenue from harbour fees increased"
    for passage, pieces in (
        (f"The committee met in the spring. {revenue}", ["The committee met in the spring", revenue]),
        (f"{revenue}. {SENTENCE}", [revenue, SENTENCE]),
    ):
        found = laid(passage)
        assert found
        assert (lit(passage), found.leaps) == (pieces, 1)


FAR = " Several residents complained of lamps left burning all day long by the town." * 2


def test_a_few_letters_between_two_leaps_are_chance() -> None:
    text = f"Members were told of it.{FAR} {SENTENCE}.{FAR} Revenue from harbour fees increased."
    passage = f"{SENTENCE}, told of it, Revenue from harbour fees increased"
    assert lit(passage, text) == [SENTENCE, "Revenue from harbour fees increased"]


def test_letters_that_two_pieces_share_go_where_words_stay_whole() -> None:
    text = f"The annual report says nothing of theatres.{FAR} But later on the atrium of the town hall is told of."
    passage = "The annual report says nothing of the atrium of the town hall"
    assert lit(passage, text) == ["The annual report says nothing of", "the atrium of the town hall"]


def test_numbers_between_two_runs_are_compared_with_numbers() -> None:
    text = "Sales of coal, in metric tons, 11 1234 and of timber in cords 56 in the year"
    passage = "Sales of coal were 1234 and of timber were 56 in the year"
    found = laid(passage, text)
    assert found
    own, here = squeeze(passage), squeeze(text)
    for number in ("1234", "56"):
        at = own.text.index(number)
        assert found.places[at : at + len(number)].tolist() == list(
            range(here.text.index(number), here.text.index(number) + len(number))
        )


def test_at_its_ends_a_passage_reaches_over_words_left_out_but_not_into_the_next_block() -> None:
    passage = f"{SENTENCE} zq zqx year"
    assert lit(passage, f"{SENTENCE} in a long hot year. More") == [f"{SENTENCE} in a long hot year"]
    assert lit(passage, f"{SENTENCE}\n\nIn a long hot year. More") == [SENTENCE]
    passage = f"year xzq zq {SENTENCE}"
    assert lit(passage, f"A year long and hot {SENTENCE}") == [f"year long and hot {SENTENCE}"]
    assert lit(passage, f"A year long and hot\n\n{SENTENCE}") == [SENTENCE]


def test_texts_with_nothing_in_common_do_not_align() -> None:
    assert laid("quixotic zebras juggle") is None
    assert laid("") is None
    assert laid(SENTENCE, "") is None


WORD = st.sampled_from(re.findall(r"\w+", TEXT))


@settings(max_examples=scale_examples(150), deadline=None)
@given(st.lists(WORD, max_size=30), st.lists(WORD, max_size=60), st.sampled_from((" ", "\n", "\t")))
def test_however_it_lies_letters_are_equal_where_it_says_so(asked: list[str], there: list[str], between: str) -> None:
    passage, text = " ".join(asked), between.join(there)
    found = laid(passage, text)
    if found is None:
        return
    own, here = squeeze(passage).codes, squeeze(text).codes
    placed = np.flatnonzero(found.equal)
    assert (own[placed] == here[found.places[placed]]).all()
    assert len(set(found.places[placed].tolist())) == len(placed)
    assert all(0 <= start < end <= len(here) for start, end in found.pieces)
    covered = {i for start, end in found.pieces for i in range(start, end)}
    assert set(found.places[placed].tolist()) <= covered
    assert 0 <= found.score <= 1
