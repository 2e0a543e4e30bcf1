import pytest

from pincite.reading.letterheads import is_letterhead, may_be_title


@pytest.mark.parametrize(
    "line",
    [
        "UNITED STATES",
        "United States of America",
        "REPUBLIC OF KORUNA",
        "STATE OF NEW YORVA",
        "RÉPUBLIQUE FRANÇAISE",
        "GOUVERNEMENT DU QUÉVEN",
        "SECURITIES AND EXCHANGE COMMISSION",
        "U.S. DEPARTMENT OF ENERGY",
        "DEPARTMENT OF HEALTH AND HUMAN SERVICES",
        "MINISTÈRE DE LA TRANSITION ÉCOLOGIQUE",
        "ENVIRONMENTAL PROTECTION AGENCY",
        "FORM 8-K",
        "(Form S-1)",
        "SCHEDULE 14A",
        "Formulaire B",
    ],
)
def test_a_country_an_agency_and_a_form_are_known_by_their_wording(line: str) -> None:
    assert is_letterhead(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "The state of the forests",
        "THE STATE OF FOOD SECURITY",
        "Kingdom of Plants",
        "The United States and its neighbours",
        "Guide to the European Commission",
        "DEPARTMENT OF HEALTH ANNUAL REPORT",
        "Network administration",
        "The Office of the Future",
        "The European Parliament",
        "Ministère de la Santé : rapport annuel",
        "Form follows function",
        "Schedule of fees",
    ],
)
def test_the_words_of_a_title_are_no_letterhead(line: str) -> None:
    assert not is_letterhead(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("STATE OF EMERGENCY", True),
        ("KINGDOM OF HEAVEN", True),
        ("DATABASE ADMINISTRATION", True),
        ("UNITED STATES", False),
        ("FEDERAL TIDE AGENCY", False),
        ("DEPARTMENT OF PUBLIC ADMINISTRATION", False),
        ("FORM 8-K", False),
    ],
)
def test_words_that_are_only_formed_like_a_letterhead_may_be_a_title(line: str, expected: bool) -> None:
    assert is_letterhead(line)
    assert may_be_title(line) == expected
