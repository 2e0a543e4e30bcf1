from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion
from pincite.server import create_app
from pincite.settings import load_settings
from pincite.types import Span
from tests.server.conftest import TEXT, conversation_of, quoting
from tests.work import finish


def _library_of(client: TestClient) -> Any:
    app = client.app
    assert isinstance(app, FastAPI)
    return app.state.library


def _add_document(client: TestClient, text: str = TEXT, name: str = "lakes.md") -> str:
    id: str = client.post("/api/documents", files={"file": (name, text)}).json()["id"]
    finish(_library_of(client))
    return id


def _begin(client: TestClient, title: str = "Lakes") -> str:
    made = client.post("/api/notebooks", json={"title": title})
    assert made.status_code == 201, made.text
    return f"/api/notebooks/{made.json()['id']}"


def _find_answer(client: TestClient) -> dict[str, Any]:
    said = client.get(f"/api/conversations/{conversation_of(client)}").json()["messages"]
    found: dict[str, Any] = said[1]
    return found


def _keep(client: TestClient, notebook: str, **given: Any) -> dict[str, Any]:
    kept = client.post(f"{notebook}/items", json=given)
    assert kept.status_code == 201, kept.text
    found: dict[str, Any] = kept.json()
    return found


def test_a_notebook_is_begun_renamed_listed_and_removed(client: TestClient) -> None:
    assert client.get("/api/notebooks").json() == []
    first, second = _begin(client, "First"), _begin(client, "Second")
    assert [each["title"] for each in client.get("/api/notebooks").json()] == ["Second", "First"]
    assert client.patch(first, json={"title": "Renamed"}).json()["title"] == "Renamed"
    assert [each["title"] for each in client.get("/api/notebooks").json()] == ["Renamed", "Second"]
    assert client.delete(second).status_code == 204
    assert client.get(second).status_code == 404
    assert client.delete(second).json()["error"]["reason"] == "notebook"
    assert client.post("/api/notebooks", json={"title": ""}).status_code == 422


def test_the_same_thing_is_kept_once_unless_it_has_another_comment(client: TestClient) -> None:
    answer, document = _find_answer(client), _add_document(client)
    passage = {"kind": "passage", "document": document, "start": 0, "end": 40}
    sentence = {"kind": "sentence", "message": answer["id"], "sentence": 0}
    notebook, other = _begin(client), _begin(client, "Other")
    for given in (passage, sentence, {"kind": "answer", "message": answer["id"]}):
        kept = _keep(client, notebook, **given)
        again = client.post(f"{notebook}/items", json=given)
        assert (again.status_code, again.json()["id"]) == (200, kept["id"])
        assert client.post(f"{other}/items", json=given).status_code == 201
        assert client.post(f"{notebook}/items", json={**given, "comment": "Why?"}).status_code == 201
    for more in ({**passage, "start": 2}, {**sentence, "sentence": 1}, *[{"kind": "text", "text": "Mine."}] * 2):
        assert client.post(f"{notebook}/items", json=more).status_code == 201
    assert len(client.get(notebook).json()["kept"]) == 10


def test_kept_rows_of_a_table_have_its_head(client: TestClient) -> None:
    text = "# Ports\n\n| Port | 1990 |\n|---|---|\n| Oslo | 20 |\n| Bergen | 30 |\n\nThey are old.\n"
    document, notebook = _add_document(client, text, "ports.md"), _begin(client)
    stored = client.get(f"/api/documents/{document}/text").json()["text"]

    def keep(words: str) -> str:
        start = stored.index(words)
        kept = _keep(client, notebook, kind="passage", document=document, start=start, end=start + len(words))
        return str(kept["text"])

    assert keep("Bergen | 30") == "| Port | 1990 |\n| --- | --- |\n| Bergen | 30 |"
    assert keep("Bergen") == "Bergen"
    assert keep("They are old.") == "They are old."


def test_a_kept_sentence_has_its_pin_and_verdict_after_the_conversation_is_gone(client: TestClient) -> None:
    answer, notebook = _find_answer(client), _begin(client)
    _keep(client, notebook, kind="sentence", message=answer["id"], sentence=0, comment="Mine.")
    _keep(client, notebook, kind="sentence", message=answer["id"], sentence=1)
    conversation = client.get("/api/conversations").json()["conversations"][0]["id"]
    assert client.delete(f"/api/conversations/{conversation}").status_code == 204
    first, second = client.get(notebook).json()["kept"]
    assert (first["text"], first["comment"]) == ("You asked: How deep is Loch Ness? [1]", "Mine.")
    assert first["question"] == "How deep is Loch Ness?"
    assert [each["support"] for each in first["sentences"]] == ["verified"]
    assert [(each["n"], each["start"], each["end"], each["page"]) for each in first["citations"]] == [(1, 9, 38, 3)]
    assert (second["text"], second["citations"]) == ("It is deep.", [])
    assert second["sentences"][0]["support"] == "unsupported"


def test_a_whole_answer_a_citation_and_own_words_are_kept(client: TestClient) -> None:
    answer, notebook = _find_answer(client), _begin(client)
    whole = _keep(client, notebook, kind="answer", message=answer["id"])
    assert whole["text"] == answer["answer"]["answer"]
    assert whole["sentences"] == answer["answer"]["sentences"]
    cited = _keep(client, notebook, kind="citation", message=answer["id"], citation=1)
    assert (cited["kind"], cited["text"]) == ("passage", "Loch Ness is <b>230</b> metres deep.")
    own = _keep(client, notebook, kind="text", text="Ask about Geneva.")
    assert (own["kind"], own["citations"]) == ("text", [])
    assert client.get(notebook).json()["missing"] == ["d"]  # the document of this answer was never added
    assert client.get("/api/notebooks").json()[0]["items"] == 3


def test_a_passage_of_a_document_is_kept_with_its_exact_characters(client: TestClient) -> None:
    document, notebook = _add_document(client), _begin(client)
    text = client.get(f"/api/documents/{document}/text").json()["text"]
    start = text.index("Its water")
    kept = _keep(client, notebook, kind="passage", document=document, start=start - 1, end=start + 18)
    (pin,) = kept["citations"]
    assert kept["text"] == pin["quote"] == "Its water is cold."
    assert text[pin["start"] : pin["end"]] == "Its water is cold."
    assert client.get(notebook).json()["missing"] == []
    nothing = {"kind": "passage", "document": document, "start": 5_000, "end": 6_000}
    assert client.post(f"{notebook}/items", json=nothing).json()["error"]["reason"] == "no_words"


def test_mistakes_about_answers_are_named(client: TestClient) -> None:
    conversation = conversation_of(client)
    question, answer = client.get(f"/api/conversations/{conversation}").json()["messages"]
    url = f"{_begin(client)}/items"
    for given, status in (
        ({"kind": "answer", "message": question["id"]}, 400),
        ({"kind": "answer", "message": "none"}, 404),
        ({"kind": "sentence", "message": answer["id"], "sentence": 9}, 400),
        ({"kind": "citation", "message": answer["id"], "citation": 9}, 400),
        ({"kind": "passage", "document": "none", "start": 0, "end": 1}, 404),
        ({"kind": "nothing"}, 422),
        ({"kind": "text", "text": ""}, 422),
    ):
        assert client.post(url, json=given).status_code == status, given
    assert client.post("/api/notebooks/none/items", json={"kind": "text", "text": "x"}).status_code == 404


def test_kept_things_are_moved_changed_and_removed(client: TestClient) -> None:
    notebook, other = _begin(client), _begin(client, "Other")
    ids = [_keep(client, notebook, kind="text", text=each)["id"] for each in "abc"]

    def order(url: str = notebook) -> list[str]:
        return [each["text"] for each in client.get(url).json()["kept"]]

    client.patch(f"{notebook}/items/{ids[2]}", json={"place": 0})
    assert order() == ["c", "a", "b"]
    client.patch(f"{notebook}/items/{ids[2]}", json={"place": 99})
    assert order() == ["a", "b", "c"]
    changed = client.patch(f"{notebook}/items/{ids[0]}", json={"text": "A", "comment": "Why?"}).json()
    assert (changed["text"], changed["comment"]) == ("A", "Why?")
    moved = client.patch(f"{notebook}/items/{ids[0]}", json={"notebook": other.rpartition("/")[2]}).json()
    assert moved["notebook"] == other.rpartition("/")[2]
    assert (order(), order(other)) == (["b", "c"], ["A"])
    assert client.delete(f"{notebook}/items/{ids[1]}").status_code == 204
    assert client.delete(f"{notebook}/items/{ids[1]}").status_code == 404
    assert client.patch(f"{notebook}/items/{ids[0]}", json={"place": 0}).status_code == 404
    assert order() == ["c"]


def test_the_words_of_a_source_or_an_answer_stay_as_they_were_kept(client: TestClient) -> None:
    notebook = _begin(client)
    kept = _keep(client, notebook, kind="answer", message=_find_answer(client)["id"])
    refused = client.patch(f"{notebook}/items/{kept['id']}", json={"text": "Something else."})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (400, "kept")
    assert client.get(notebook).json()["kept"][0]["text"] == kept["text"]


def test_words_find_notebooks_kept_things_and_comments(client: TestClient) -> None:
    document, notebook = _add_document(client), _begin(client, "Étangs profonds")
    _keep(client, notebook, kind="text", text="Ask the GEOLOGIST about Geneva.")
    url = f"/api/documents/{document}/annotations"
    assert client.post(url, json={"start": 9, "end": 18, "comment": "The geologist doubts it."}).status_code == 201

    def search(words: str) -> list[tuple[str, str]]:
        found = client.get("/api/notebooks/search", params={"q": words}).json()
        return [(each["kind"], each["title"]) for each in found]

    assert search("etangs") == [("notebook", "Étangs profonds")]
    assert search("geologist") == [("item", "Étangs profonds"), ("annotation", "Lakes")]
    assert search("geologist geneva") == [("item", "Étangs profonds")]
    assert search("nowhere") == []
    assert search("   ") == []
    found = client.get("/api/notebooks/search", params={"q": "doubts"}).json()[0]
    assert (found["document"], found["start"], "doubts" in found["excerpt"]) == (document, 9, True)


def test_a_question_about_a_notebook_is_answered_from_what_is_kept_in_it(tmp_path: Path) -> None:
    asked: list[AskedQuestion] = []

    async def noting(context: Context) -> AsyncIterator[events.Data]:
        asked.append(context.asked)
        async for event in quoting(context):
            yield event

    app = create_app(load_settings(data=tmp_path / "data", embedding={"provider": "none"}), answer=noting)
    with TestClient(app) as client:
        document, other, notebook = _add_document(client), _add_document(client, "# Seas", "seas.md"), _begin(client)
        _keep(client, notebook, kind="passage", document=document, start=0, end=5, comment="Mine.")
        id = notebook.rpartition("/")[2]
        for given in ({"notebook": id}, {"notebook": "Lakes", "documents": [other]}):
            assert client.post("/api/chat", json={"message": "How deep?", **given}).status_code == 200
        assert [each.scope.documents for each in asked] == [(document,), (other,)]
        for each in asked:
            assert each.notebook
            assert each.notebook.passages == (Span(document, 0, 5),)
            assert "Mine." in each.notebook.notes[0]
        client.delete(notebook)
        for path in ("/api/chat", "/api/search"):
            refused = client.post(path, json={"message": "How deep?", "notebook": id})
            assert (refused.status_code, refused.json()["error"]["reason"]) == (404, "notebook")
