"""Headings whose words come in another order: found where they are a block of their own, and the only one."""

import pytest
from tests import leaves

from pincite.locate.locate import locate

PAGE = (
    "Annual Report of the Harbour Board 2023\n\n"
    "The members of the board are glad to\ntell their friends that fees increased\nby a tenth in the autumn.\n\n"
    "Results by Region and\nQuarter of the Year\n\n"
    "The board thanks all friends.\n\n"
    "Table 4: Fees 12.5"
)


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("2023 Harbour Board of the Annual Report", "Annual Report of the Harbour Board 2023"),
        ("HARBOUR BOARD – Annual report of the, 2023", "Annual Report of the Harbour Board 2023"),
        ("## **Harbour Board** 2023 [Annual Report](http://x.org) of the", "Annual Report of the Harbour Board 2023"),
        ("Quarter of the Year Results by Region and", "Results by Region and\nQuarter of the Year"),
    ],
)
def test_a_heading_is_found_by_its_words_in_any_order(asked: str, there: str) -> None:
    for concordance in (leaves.plain(PAGE), leaves.ready(PAGE)):
        found = locate(concordance, asked)
        assert leaves.lit(concordance, found) == [there]
        assert found.how == "approximate"
        assert [block.spans for block in found.blocks] == [found.spans]


@pytest.mark.parametrize(
    "asked",
    [
        "Report Annual the of Harbour Board 2024",  # another number
        "Annual Harbour Board of the Report",  # a word less
        "2023 Harbour Board of the Annual Report again",  # and one more
        "of the Year Quarter",  # not the whole
        "increased fees that friends their tell",  # a line of a paragraph
        "all friends thanks board The.",  # a sentence
        "Fees 12.5 Table 4:",  # two numbers, which might have changed places
        "Report Annual",  # two words of a longer one
    ],
)
def test_other_words_and_shuffled_sentences_are_not(asked: str) -> None:
    assert not locate(leaves.plain(PAGE), asked).found


def test_a_decimal_point_counts_in_a_heading_too() -> None:
    concordance = leaves.plain("Inflation of 12.5 percent expected\n\nA paragraph.")
    assert locate(concordance, "Expected inflation of 12.5 percent").found
    assert not locate(concordance, "Expected inflation of 125 percent").found


def test_of_two_such_headings_the_one_on_the_page_given_is_meant() -> None:
    concordance = leaves.ready(
        "Harbour fees by year\n\nSome words here.", "By year: harbour fees\n\nSome others.", "No more."
    )
    for pages in ((), (3,), (1, 2)):
        assert not locate(concordance, "fees by year, harbour", pages).found
    assert leaves.lit(concordance, locate(concordance, "fees by year, harbour", (2,))) == ["By year: harbour fees"]


def test_words_that_stand_twice_stay_undecided() -> None:
    concordance = leaves.plain("The fees by year were\nthe same fees by year.\n\nYear by fees")
    assert locate(concordance, "fees by year").refusal == "repeated"


SECTIONS = "Quarterly Results\n\nFees rose again in the spring.\n\nOutlook for the Coming Year\n\nNobody knows it yet."


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("Results Quarterly", ["Quarterly Results"]),
        ("Results Quarterly\nComing Year: Outlook for the", ["Quarterly Results", "Outlook for the Coming Year"]),
        ("Outlook for the Coming Year\n\nQuarterly Results", ["Quarterly Results", "Outlook for the Coming Year"]),
        ("# The coming year, outlook for\n# Results, quarterly", ["Quarterly Results", "Outlook for the Coming Year"]),
    ],
)
def test_two_short_headings_are_found_in_any_order(asked: str, there: list[str]) -> None:
    for concordance in (leaves.plain(SECTIONS), leaves.ready(SECTIONS)):
        found = locate(concordance, asked)
        assert leaves.lit(concordance, found) == there
        assert len(found.blocks) == len(there)


@pytest.mark.parametrize(
    "asked",
    [
        "Results Quarterly\nOutlook for the Coming Month",  # one of them is another
        "Results Quarterly\nthe spring in again rose Fees",  # one of them is a sentence
        "Results Quarterly\nQuarterly Results",  # the same one twice
        "Results of the Outlook for the Coming Year in full Quarterly",  # words of both in one
    ],
)
def test_headings_of_which_one_is_not_there_are_not_found(asked: str) -> None:
    assert not locate(leaves.plain(SECTIONS), asked).found


def test_headings_far_apart_are_not_one_passage() -> None:
    concordance = leaves.ready("Quarterly Results\n\nWords.", "More words.", "Still more.", "Outlook and Risks\n\nEnd.")
    assert not locate(concordance, "Results Quarterly\nRisks and Outlook").found
