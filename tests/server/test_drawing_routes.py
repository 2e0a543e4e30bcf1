import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from pptx.util import Inches
from sqlalchemy import update
from starlette.testclient import TestClient

from pincite.errors import TimedOut
from pincite.isolation.child_process import IsolatedProcess
from pincite.store.schema import texts
from tests import files
from tests.server.uploads import refusal, uploaded

NOTES = "Say it slowly."


def build(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "The otters 🦦"
    slide.placeholders[1].text = "Seen in May\nGone in June"
    slide.notes_slide.notes_text_frame.text = NOTES
    shot = io.BytesIO()
    Image.new("RGB", (8, 4), "red").save(shot, "PNG")
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "The end"
    deck.slides[1].shapes.add_picture(shot, Inches(1), Inches(2))
    deck.slides.add_slide(deck.slide_layouts[6])


@pytest.fixture
def deck(client: TestClient) -> str:
    return uploaded(client, "otters.pptx", files.slides(build))


def list_runs(drawing: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for shape in drawing["shapes"]:
        for paragraph in shape["paragraphs"]:
            yield from paragraph["runs"]


def test_a_slide_has_its_words_at_their_characters_and_its_notes_beside_them(client: TestClient, deck: str) -> None:
    text = client.get(f"{deck}/text").json()["text"]
    told = client.get(f"{deck}/slides/1").json()
    runs = [run for run in list_runs(told["drawing"]) if run["start"] is not None]
    assert [run["text"] for run in runs] == ["The otters 🦦", "Seen in May", "Gone in June"]
    assert all(run["text"] == text[run["start"] : run["end"]] for run in runs)
    assert [(each["kind"], each["text"]) for each in told["blocks"]] == [("paragraph", NOTES)]
    second = client.get(f"{deck}/slides/2").json()
    (run,) = list_runs(second["drawing"])
    assert (run["text"], text[run["start"] : run["end"]], second["blocks"]) == ("The end", "The end", [])
    assert client.get(f"{deck}/slides/3").json()["drawing"]["shapes"] == []
    assert refusal(client, f"{deck}/slides/4") == (404, "not_found")


def test_a_picture_of_a_slide_is_drawn_again(client: TestClient, deck: str) -> None:
    shapes = client.get(f"{deck}/slides/2").json()["drawing"]["shapes"]
    (number,) = [each["picture"]["number"] for each in shapes if each["picture"]]
    answer = client.get(f"{deck}/pictures/{number}")
    assert answer.headers["content-type"] == "image/webp"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (8, 4)
    assert refusal(client, f"{deck}/pictures/0") == (404, "not_found")
    assert refusal(client, f"{deck}/pictures/99999") == (404, "not_found")


def test_a_slide_that_was_read_otherwise_is_shown_as_its_stored_text(client: TestClient, deck: str) -> None:
    text = client.get(f"{deck}/text").json()["text"].replace("otters", "Otters")
    with client.app.state.library.database.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(update(texts).values(text=text))
    told = client.get(f"{deck}/slides/1").json()
    assert told["drawing"] is None
    assert [each["text"] for each in told["blocks"]] == ["The Otters 🦦", "- Seen in May\n- Gone in June", NOTES]
    assert client.get(f"{deck}/slides/2").json()["drawing"] is not None


def test_a_file_that_cannot_be_drawn_is_tried_once_and_shown_as_text(
    client: TestClient, deck: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def fail(self: IsolatedProcess, task: str, *_: object, **__: object) -> list[bytes]:
        tries.append(task)
        raise TimedOut("Reading took too long.", "Wait.")

    monkeypatch.setattr(IsolatedProcess, "draw", fail)
    for _ in range(2):
        told = client.get(f"{deck}/slides/1").json()
        assert told["drawing"] is None
        assert len(told["blocks"]) == 3
    assert tries == ["draw_slides"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"start":16', b'"start":4000'),
        (b'"start":16', b'"start":3'),
        (b'"colour":"#000000"', b'"colour":"url(x)"'),
        (b'"size":44.0', b'"size":1e300'),
    ],
)
def test_a_child_that_lies_about_ranges_or_colours_is_not_believed(
    client: TestClient, deck: str, monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes
) -> None:
    honest = IsolatedProcess.draw

    def lie(self: IsolatedProcess, *given: Any, **more: Any) -> list[bytes]:
        told = honest(self, *given, **more)
        assert old in told[0]
        return [told[0].replace(old, new, 1), *told[1:]]

    monkeypatch.setattr(IsolatedProcess, "draw", lie)
    assert client.get(f"{deck}/slides/1").json()["drawing"] is None
    assert client.get(f"{deck}/slides/2").json()["drawing"] is not None


def test_other_documents_have_no_slides(client: TestClient) -> None:
    address = uploaded(client)
    assert refusal(client, f"{address}/slides/1") == (404, "not_found")
    assert refusal(client, f"{address}/pictures/1") == (404, "not_found")
    assert refusal(client, "/api/documents/nothing/slides/1") == (404, "not_found")


def test_a_word_document_has_its_words_at_their_characters_and_its_margins_as_blocks(client: TestClient) -> None:
    def build_report(document: Any) -> None:
        document.sections[0].header.paragraphs[0].text = "Harbour board"
        document.add_heading("Otters 🦦", 1)
        document.add_paragraph("Seen in ").add_run("May").bold = True
        document.add_paragraph("once", style="List Number")

    address = uploaded(client, "otters.docx", files.word(build_report))
    text = client.get(f"{address}/text").json()["text"]
    told = client.get(f"{address}/drawing").json()
    assert (told["start"], told["end"], told["length"]) == (0, len(text), len(text))
    assert [(each["kind"], each["text"]) for each in told["blocks"]] == [("header", "Harbour board")]
    heading, paragraph, item = told["drawings"]
    assert heading["level"] == 1
    runs = [heading["paragraph"]["runs"][0], *paragraph["paragraph"]["runs"], item["paragraph"]["label"]]
    assert [run["text"] for run in runs] == ["Otters 🦦", "Seen in ", "May", "1."]
    assert all(run["text"] == text[run["start"] : run["end"]] for run in runs)
    assert [run["bold"] for run in paragraph["paragraph"]["runs"]] == [False, True]
    assert client.get(f"{address}/drawing?start={item['start']}").json()["drawings"] == [item]


def test_a_word_document_that_was_read_otherwise_is_shown_as_its_stored_text(client: TestClient) -> None:
    address = uploaded(client, "report.docx", files.word())
    whole = client.get(f"{address}/blocks").json()["blocks"]
    text = client.get(f"{address}/text").json()["text"]
    with client.app.state.library.database.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(update(texts).values(text=text.replace("douze", "DOUZE")))
    told = client.get(f"{address}/drawing").json()
    assert told["drawings"] == []
    assert [(each["kind"], each["start"]) for each in told["blocks"]] == [
        (each["kind"], each["start"]) for each in whole
    ]


def test_other_documents_are_drawn_as_blocks(client: TestClient) -> None:
    address = uploaded(client)
    told = client.get(f"{address}/drawing").json()
    assert told["drawings"] == []
    assert told["blocks"] == client.get(f"{address}/blocks").json()["blocks"]
