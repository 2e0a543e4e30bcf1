from pathlib import Path

import pytest
from fpdf import FPDF
from starlette.testclient import TestClient

from tests import pdfs
from tests.server.uploads import refusal, upload, uploaded


def test_words_are_found_with_what_is_around_them(client: TestClient) -> None:
    text = "x" * 60 + " before the Deep\nLake and behind it " + "y" * 60 + " a deep lake"
    address = uploaded(client, "lakes.txt", text)
    told = client.get(f"{address}/find", params={"words": "deep lake", "limit": 1}).json()
    start = text.index("Deep")
    assert told == {
        "total": 2,
        "matches": [
            {
                "start": start,
                "end": start + 9,
                "page": None,
                "before": text[start - 40 : start],
                "text": "Deep\nLake",
                "after": text[start + 9 : start + 49],
                "boxes": [],
            }
        ],
    }


def test_on_pages_every_match_has_its_own_rectangles(client: TestClient, tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for number in (1, 2):
            pdf.add_page()
            pdfs.paragraph(pdf, f"Page {number} speaks of a heron and later of another heron.", y=100)

    address = uploaded(client, "birds.pdf", pdfs.make(tmp_path / "birds.pdf", draw).read_bytes())
    told = client.get(f"{address}/find?words=HERON").json()
    assert (told["total"], [each["page"] for each in told["matches"]]) == (4, [1, 1, 2, 2])
    for each in told["matches"]:
        assert each["boxes"] == client.get(f"{address}/boxes?start={each['start']}&end={each['end']}").json()
        assert len(each["boxes"][0]["rects"]) == 1


def test_words_over_a_page_break_have_rectangles_on_both_pages(client: TestClient, tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for words in ("The story ends with a tall", "heron that flies away."):
            pdf.add_page()
            pdfs.paragraph(pdf, words, y=100)

    address = uploaded(client, "birds.pdf", pdfs.make(tmp_path / "birds.pdf", draw).read_bytes())
    (match,) = client.get(f"{address}/find?words=tall heron").json()["matches"]
    assert (match["page"], [each["page"] for each in match["boxes"]]) == (1, [1, 2])


def test_words_that_stand_nowhere_are_no_error(client: TestClient) -> None:
    address = uploaded(client)
    for words in ("volcano", "   ", "\ud83d", "\0", "%", "(", ".*"):
        told = client.get(f"{address}/find", params={"words": words.encode("utf-8", "replace")}).json()
        assert told == {"total": 0, "matches": []}


@pytest.mark.parametrize("query", ["", "?words=", "?words=a&limit=0", "?words=a&limit=1001", "?words=a&limit=x"])
def test_a_search_without_words_or_without_end_is_refused(client: TestClient, query: str) -> None:
    assert refusal(client, f"{uploaded(client)}/find{query}") == (422, "invalid")


def test_more_words_than_anyone_looks_for_are_refused(client: TestClient) -> None:
    assert refusal(client, f"{uploaded(client)}/find?words={'a' * 60_000}") == (422, "invalid")


def test_nothing_is_found_in_what_is_not_read_or_not_there(client: TestClient) -> None:
    early = upload(client)
    assert refusal(client, f"/api/documents/{early['id']}/find?words=a") == (409, "not_ready")
    assert refusal(client, "/api/documents/nothing/find?words=a") == (404, "not_found")
