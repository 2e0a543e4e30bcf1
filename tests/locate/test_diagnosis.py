from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.diagnosis import diagnose, explain_blocks
from pincite.locate.locate import locate
from pincite.locate.location import LocatedBlock, Location, NotFoundReason
from pincite.types import Document, Page

LEASE = "The lease ends after 14 years and may be renewed once by letter."
ENERGY = "The price of energy rose in every quarter of the year, and members asked why."
PENGUINS = "Penguins live in the southern hemisphere and cannot fly."


def paged(*texts: str) -> Concordance:
    """A document with a page for each text, ready for locating."""
    pages, whole = [], ""
    for number, text in enumerate(texts, 1):
        separated = text + ("\n\n" if text else "")
        pages.append(Page(number, len(whole), len(whole) + len(separated)))
        whole += separated
    return build_concordance(Document("pdf", whole, pages=tuple(pages)))


def span(concordance: Concordance, words: str) -> tuple[int, int]:
    start = concordance.document.text.index(words)
    return start, start + len(words)


def refused(refusal: NotFoundReason, *nearest: tuple[int, int]) -> Location:
    return replace(Location((), 0.0, ()), refusal=refusal, nearest=nearest)


def test_a_passage_that_stands_where_it_was_looked_for_needs_no_words() -> None:
    concordance = paged(LEASE, ENERGY)
    assert diagnose(concordance, ENERGY, locate(concordance, ENERGY, [2]), [2]) == []


def test_a_wrong_page_is_told_with_the_right_one() -> None:
    concordance = paged(LEASE, PENGUINS, ENERGY)
    told = diagnose(concordance, ENERGY, locate(concordance, ENERGY, [1, 2]), [1, 2])
    assert told == ["You asked for pages 1 and 2; it stands on page 3."]


def test_a_page_that_the_document_does_not_have_is_told() -> None:
    concordance = paged(LEASE, ENERGY)
    assert diagnose(concordance, ENERGY, locate(concordance, ENERGY, [9]), [9]) == [
        "There is no page 9: the document has 2."
    ]
    without = build_concordance(Document("text", ENERGY))
    assert diagnose(without, ENERGY, locate(without, ENERGY, [9]), [9]) == [
        "You asked for page 9; this document has no pages."
    ]


def test_blocks_that_are_not_matched_are_named_with_what_is_known_of_them() -> None:
    concordance = paged(LEASE, ENERGY)
    found = span(concordance, ENERGY)
    blocks = (
        LocatedBlock(ENERGY, (found,), 1.0),
        LocatedBlock("quarter every in rose energy", (), 0.3),
        LocatedBlock("mem bers ask ed", (), 0.3),
        LocatedBlock(PENGUINS, (), 0.1),
    )
    told = diagnose(concordance, ENERGY, Location((found,), 0.8, blocks, how="normalised"))
    assert told == [
        "Not matched: “quarter every in rose energy”: "
        "all its words stand on page 2, in another order or further apart.",
        "Not matched: “mem bers ask ed”: its words are split or joined otherwise on page 2 "
        "(“mem”, “bers”, “ask” and 1 more).",
        f"Not matched: “{PENGUINS}”: 6 of its 9 words are not on page 2 (“Penguins”, “live”, “southern” and 3 more).",
    ]


def test_one_block_of_five_that_is_not_matched_is_not_worth_a_word() -> None:
    concordance = paged(ENERGY)
    found = span(concordance, ENERGY)
    blocks = (*[LocatedBlock(ENERGY, (found,), 1.0)] * 4, LocatedBlock(PENGUINS, (), 0.1))
    assert diagnose(concordance, ENERGY, Location((found,), 0.9, blocks, how="normalised")) == []


def test_more_light_than_was_asked_for_is_suspected() -> None:
    concordance = paged(LEASE, ENERGY)
    whole = (0, len(concordance.document.text))
    location = Location((whole,), 1.0, (LocatedBlock("members asked why", (whole,), 1.0),), how="normalised")
    (told,) = diagnose(concordance, "members asked why", location)
    assert told == "112 letters and digits are lit for the passage's 15: more may be marked than was asked for."


def test_words_that_differ_from_the_document_are_shown_beside_its_own() -> None:
    concordance = paged(ENERGY)
    asked = ENERGY.replace("energy", "petrol").replace("quarter", "quar-\nter").replace("members", "mem bers")
    found = span(concordance, ENERGY)
    (told,) = diagnose(
        concordance, asked, Location((found,), 0.9, (LocatedBlock(asked, (found,), 0.9),), how="approximate")
    )
    assert told == "1 place differs from the document: the passage has “petrol” where the document has “energy”."


WRITTEN = "The members were told in March that the lease may not be renewed, whatever the tenants had written."


@pytest.mark.parametrize(
    ("order", "left_out"),
    [
        ((WRITTEN, ENERGY), "not"),
        ((ENERGY, WRITTEN), "not"),
        ((WRITTEN, ENERGY), "had written"),
        ((ENERGY, WRITTEN), "The"),
        ((WRITTEN, ENERGY), "told in March"),
    ],
)
def test_words_that_the_passage_leaves_out_are_told(order: tuple[str, str], left_out: str) -> None:
    concordance = paged("\n\n".join(order))
    asked = "\n\n".join(order).replace(WRITTEN, WRITTEN.replace(left_out, "", 1))
    location = locate(concordance, asked)
    assert location.found
    (told,) = diagnose(concordance, asked, location)
    assert told == f"1 place differs from the document: the document has “{left_out}”, the passage does not."
    reason = explain_blocks(concordance.document, location)[order.index(WRITTEN)]
    assert reason == f"the document has “{left_out}”, the passage does not"


def test_a_passage_without_letters_is_told_to_be_empty() -> None:
    concordance = paged(LEASE)
    assert "no letters or digits" in diagnose(concordance, "…!", locate(concordance, "…!"))[0]


def test_a_passage_that_stands_many_times_is_told_where() -> None:
    concordance = paged(LEASE, ENERGY, LEASE, LEASE)
    (told,) = diagnose(concordance, "the lease", refused("repeated"))
    assert told == "It stands 3 times, on pages 1, 3 and 4: give a page, or more of the words around it."
    (told,) = diagnose(paged(f"{LEASE} {LEASE}", LEASE), "once by letter", refused("repeated"), [1])
    assert told == "It stands 2 times, on page 1: give more of the words around it."


def test_a_very_short_passage_is_counted_where_it_is_whole_words() -> None:
    concordance = paged("The sea and the tea. A sea of ease.", "Seas and the sea.")
    (told,) = diagnose(concordance, "sea", locate(concordance, "sea"))
    assert told == "It stands 3 times, on pages 1 and 2: give a page, or more of the words around it."
    (told,) = diagnose(concordance, "ea", locate(concordance, "ea"))
    assert told == "It has only 2 letters and digits: so short a passage must stand in the document exactly, and once."


def test_more_places_than_are_counted_are_told_as_more() -> None:
    concordance = paged(*["the sea and the harbour " * 400] * 3)
    for asked in ("sea", "the harbour"):
        (told,) = diagnose(concordance, asked, locate(concordance, asked))
        assert told.startswith("It stands more than 1,000 times, the first of them on pages 1–3: ")
        (told,) = diagnose(concordance, asked, locate(concordance, asked, [2]), [2])
        assert told.startswith("It stands at least 400 times, the first of them on page 2: ")


def test_a_long_passage_that_stands_elsewhere_too_is_told_where() -> None:
    concordance = paged(LEASE, ENERGY, LEASE, ENERGY, LEASE)
    assert diagnose(concordance, LEASE, locate(concordance, LEASE)) == ["It also stands on pages 3 and 5."]
    assert diagnose(concordance, LEASE.upper(), locate(concordance, LEASE.upper(), [5]), [5]) == [
        "It also stands on pages 1 and 3."
    ]
    other = paged(LEASE, LEASE.replace("14", "1.4"))
    assert diagnose(other, LEASE, locate(other, LEASE)) == []
    same = paged(f"{LEASE}\n{ENERGY}\n{LEASE}")
    assert diagnose(same, LEASE, locate(same, LEASE)) == ["It also stands at 1 other place on the same page."]
    unpaged = build_concordance(Document("text", f"{LEASE}\n{ENERGY}\n{LEASE}\n{LEASE}"))
    assert diagnose(unpaged, LEASE, locate(unpaged, LEASE)) == ["It also stands at 2 other places."]


def test_of_many_pages_only_a_few_are_named() -> None:
    concordance = paged(*[LEASE if number % 2 else ENERGY for number in range(60)])
    (told,) = diagnose(concordance, LEASE, locate(concordance, LEASE))
    assert told == "It also stands on pages 4, 6, 8, 10, 12, 14, 16 and 18, and 21 more."
    told, *_ = diagnose(concordance, LEASE, locate(concordance, LEASE), range(100, 10_000, 3))
    assert told.startswith("There are no pages 100, 103, ")
    assert len(told) < 120


def test_a_short_passage_that_is_not_there_is_told_to_be_too_short_for_likeness() -> None:
    (told,) = diagnose(paged(LEASE), "the laese", refused("short"))
    assert "only 8 letters and digits" in told


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (LEASE.replace("14", "64"), "the passage has “64” where the document has “14”"),
        (LEASE.replace("14", "1.4"), "the passage has “1.4” where the document has “14”"),
        (LEASE.replace("14", ""), "the document has “14”, the passage does not"),
        (LEASE.replace("letter", "le77er"), "the passage has “le77er” where the document has “letter”"),
        (LEASE.replace("once", "once 3"), "the passage has “3”, the document does not"),
    ],
)
def test_other_numbers_are_shown_beside_the_documents(asked: str, shown: str) -> None:
    concordance = paged(ENERGY, LEASE)
    (told,) = diagnose(concordance, asked, refused("numbers", span(concordance, LEASE)))
    assert told == f"Most of it stands on page 2, with other numbers: {shown}."


def test_numbers_that_only_stand_in_another_order_are_not_called_other_numbers() -> None:
    concordance = paged("Sales 12 and 34 and 56 and costs 78.")
    nearest = span(concordance, "Sales 12 and 34 and 56 and costs 78.")
    (told,) = diagnose(concordance, "Sales 56 and 12 and 34 and costs 78.", refused("numbers", nearest))
    assert "with other numbers" not in told


def test_the_most_similar_place_is_shown_with_how_alike_it_is() -> None:
    concordance = paged(LEASE, ENERGY)
    asked = ENERGY.replace("energy rose", "bread fell")
    told = diagnose(concordance, asked, refused("different", span(concordance, ENERGY)))
    assert told == [
        "The most similar place is on page 2: 87 % of its words stand there.",
        "They differ: the passage has “bread fell” where the document has “energy rose”.",
    ]


def test_words_that_only_stand_in_another_order_are_told_so() -> None:
    concordance = paged(ENERGY)
    asked = " ".join(reversed(ENERGY.split()))
    (told,) = diagnose(concordance, asked, refused("different", span(concordance, ENERGY)))
    assert told == (
        "The most similar place is on page 1: 100 % of its words stand there, in another order or far apart."
    )


def test_a_passage_of_another_document_is_told_by_its_words() -> None:
    (told,) = diagnose(paged(LEASE, ENERGY), PENGUINS, refused("absent"))
    assert told == "It is not in this document: of its 4 longer words, none can be found anywhere."


def test_words_that_stand_apart_are_not_called_missing() -> None:
    told = [
        diagnose(paged(LEASE, ENERGY), asked, refused("absent"))[0]
        for asked in ("energy lease", "my price", "lease of penguins")
    ]
    assert told == [
        "It is not in this document: its longer words stand there, but not together.",
        "It is not in this document: its longest word stands there, but not the rest.",
        "It is not in this document: of its 2 longer words, only 1 can be found anywhere.",
    ]


def test_pages_without_text_and_what_reading_complained_of_are_told_when_nothing_is_found() -> None:
    whole = paged(LEASE, "", "", ENERGY).document
    concordance = build_concordance(
        replace(whole, problems=("Page 2 is a picture without text, and OCR is switched off.",))
    )
    told = diagnose(concordance, PENGUINS, refused("absent"))
    assert told[1:] == [
        "2 pages have no text here (pages 2 and 3): it may stand on a picture that was not read.",
        "Page 2 is a picture without text, and OCR is switched off.",
    ]
    (told_of_nothing,) = diagnose(build_concordance(Document("image", "")), PENGUINS, refused("absent"))
    assert told_of_nothing == "The document has no text at all."


def test_every_block_has_a_reason() -> None:
    concordance = paged(ENERGY)
    found = span(concordance, ENERGY)
    blocks = (
        LocatedBlock(ENERGY, (found,), 1.0),
        LocatedBlock(ENERGY.upper(), (found,), 1.0),
        LocatedBlock(PENGUINS, (), 0.0),
    )
    first, second, third = explain_blocks(concordance.document, Location((found,), 1.0, blocks))
    assert (first, second) == ("the same words", "the same letters and digits")
    assert third.startswith("6 of its 9 words are not on page 1")


@given(
    st.lists(st.text(max_size=80), max_size=4),
    st.text(max_size=120),
    st.lists(st.integers(-2, 9), max_size=3),
)
def test_a_diagnosis_is_made_of_sentences_and_a_refusal_always_has_one(
    texts: list[str], asked: str, pages: list[int]
) -> None:
    concordance = paged(*texts)
    location = locate(concordance, asked, pages)
    told = diagnose(concordance, asked, location, pages)
    assert location.found or told
    assert all(sentence.endswith(".") for sentence in told)
