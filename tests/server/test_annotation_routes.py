from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.pdfs import simple
from tests.server.test_notebook_routes import _add_document, _library_of
from tests.work import finish


def test_a_highlight_is_made_changed_listed_and_removed(client: TestClient) -> None:
    document = _add_document(client)
    url = f"/api/documents/{document}/annotations"
    text = client.get(f"/api/documents/{document}/text").json()["text"]
    start = text.index("230")
    made = client.post(url, json={"start": start, "end": start + 10, "colour": "green"})
    assert (made.status_code, made.json()["quote"], made.json()["state"]) == (201, "230 metres", "found")
    first = client.post(url, json={"start": 2, "end": 7, "comment": "A heading."}).json()
    assert [each["quote"] for each in client.get(url).json()] == ["Lakes", "230 metres"]
    changed = client.patch(f"/api/annotations/{first['id']}", json={"colour": "pink"}).json()
    assert (changed["colour"], changed["comment"]) == ("pink", "A heading.")
    assert client.get("/api/annotations").json()[0]["title"] == "Lakes"
    assert client.delete(f"/api/annotations/{first['id']}").status_code == 204
    assert client.delete(f"/api/annotations/{first['id']}").status_code == 404
    assert [each["colour"] for each in client.get(url).json()] == ["green"]


def test_mistakes_about_highlights_are_named(client: TestClient) -> None:
    document = _add_document(client)
    url = f"/api/documents/{document}/annotations"
    assert client.post(url, json={"start": 5, "end": 5}).json()["error"]["reason"] == "no_words"
    assert client.post(url, json={"start": 0, "end": 5, "colour": "ultraviolet"}).status_code == 422
    assert client.post(url, json={"start": -1, "end": 5}).status_code == 422
    assert client.post("/api/documents/none/annotations", json={"start": 0, "end": 5}).status_code == 404
    assert client.patch("/api/annotations/none", json={"comment": "x"}).json()["error"]["reason"] == "annotation"
    long = _add_document(client, "word " * 5_000, "long.txt")
    refused = client.post(f"/api/documents/{long}/annotations", json={"start": 0, "end": 2**31 - 1})
    assert refused.json()["error"]["reason"] == "too_long"


def test_a_highlight_on_a_page_has_the_boxes_of_its_characters(client: TestClient, tmp_path: Path) -> None:
    path = simple(tmp_path / "paper.pdf", pages=2, words="The loch is deep.")
    document = client.post("/api/documents", files={"file": ("paper.pdf", path.read_bytes())}).json()["id"]
    finish(_library_of(client))
    text = client.get(f"/api/documents/{document}/text").json()["text"]
    start = text.rindex("loch")
    given: dict[str, Any] = {"start": start, "end": start + 4}
    made = client.post(f"/api/documents/{document}/annotations", json=given).json()
    assert made["page"] == 2
    boxes = client.get(f"/api/documents/{document}/boxes", params={"start": start, "end": start + 4}).json()
    assert made["boxes"] == boxes
    assert len(boxes[0]["rects"]) == 1


def test_highlights_go_with_their_document(client: TestClient) -> None:
    document = _add_document(client)
    client.post(f"/api/documents/{document}/annotations", json={"start": 0, "end": 5})
    assert client.delete(f"/api/documents/{document}").status_code == 204
    assert client.get("/api/annotations").json() == []
    assert client.get("/api/notebooks/search", params={"q": "lakes"}).json() == []
