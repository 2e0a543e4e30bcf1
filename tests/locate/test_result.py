import json

import pytest

from pincite.locate.location import LocatedBlock, Location
from pincite.locate.result import compute_metrics, describe_location
from pincite.types import Document, Page, PageBoxes

BOOK = Document("pdf", "first page second page", pages=(Page(1, 0, 11, 600, 800), Page(2, 11, 22, 600, 800)))
NOTE = Document("markdown", "A note without pages.")


def found(*spans: tuple[int, int], blocks: tuple[LocatedBlock, ...] = ()) -> Location:
    return Location(spans, 0.98765, blocks, how="approximate")


def test_the_metrics_say_how_many_blocks_matched_how_well_and_how_much_of_the_passage_that_is() -> None:
    blocks = (
        LocatedBlock("ten letters", ((0, 5),), 1.0),
        LocatedBlock("ten letters", ((6, 9),), 0.75),
        LocatedBlock("ten letters", (), 0.749),
        LocatedBlock("… — !", (), 0.0),
    )
    told = compute_metrics(found((0, 9), blocks=blocks))
    assert (told.matched, told.total, told.block_match_rate) == (2, 4, 0.5)
    assert told.average_score == pytest.approx((1 + 0.75 + 0.749) / 4)
    assert told.coverage == pytest.approx((10 + 7.5) / 30)


def test_the_metrics_of_nothing_are_zero() -> None:
    for location in (Location((), 0.0, ()), Location((), 0.0, (LocatedBlock("…", (), 0.0),))):
        told = compute_metrics(location)
        assert (told.block_match_rate, told.average_score, told.coverage, told.matched) == (0, 0, 0, 0)


def test_a_passage_over_two_pages_is_told_page_by_page() -> None:
    boxes = [PageBoxes(1, 600, 800, ((1.0, 2.0, 3.0, 4.0),)), PageBoxes(2, 600, 800, ((5.0, 6.0, 7.0, 8.0),))]
    told = describe_location(BOOK, found((6, 17)), boxes)
    assert told["matches"] == [
        {"page": 1, "boxes": [[1, 2, 3, 4]], "width": 600, "height": 800, "score": 0.9877, "spans": [[6, 11]]},
        {"page": 2, "boxes": [[5, 6, 7, 8]], "width": 600, "height": 800, "score": 0.9877, "spans": [[11, 17]]},
    ]


def test_a_document_without_pages_gives_its_spans_alone() -> None:
    told = describe_location(NOTE, found((2, 6), (7, 14)), [])
    assert told["matches"] == [
        {"page": None, "boxes": [], "width": None, "height": None, "score": 0.9877, "spans": [[2, 6], [7, 14]]}
    ]


def test_pages_without_boxes_are_still_named() -> None:
    slides = Document("pptx", "one two", pages=(Page(1, 0, 4), Page(2, 4, 7)))
    (match,) = describe_location(slides, found((4, 7)), [])["matches"]
    assert (match["page"], match["boxes"], match["width"], match["spans"]) == (2, [], None, [[4, 7]])


def test_a_quote_not_found_has_no_matches_and_says_why() -> None:
    missing = Location((), 0.4, (LocatedBlock("gone", (), 0.4),), refusal="absent", nearest=((0, 3),))
    told = describe_location(BOOK, missing, [], ["It is not there."])
    assert (told["found"], told["how"], told["matches"]) == (False, None, [])
    assert told["blocks"] == [{"text": "gone", "score": 0.0, "spans": []}]
    assert told["nearest"] == {"pages": [1], "spans": [[0, 3]], "score": 0.4}
    assert told["diagnosis"] == ["It is not there."]


def test_the_account_is_json_as_it_is() -> None:
    blocks = (LocatedBlock("first", ((0, 5),), 1.0),)
    told = describe_location(
        BOOK, found((0, 5), blocks=blocks), [PageBoxes(1, 600, 800, ((1.0, 2.0, 3.0, 4.0),))], ("a",)
    )
    assert json.loads(json.dumps(told)) == told
    assert list(told) == ["found", "how", "matches", "metrics", "blocks", "nearest", "diagnosis"]
    assert {"block_match_rate", "average_score", "coverage"} < set(told["metrics"])
