import json
from collections.abc import AsyncIterator

import pytest
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.context import Context
from pincite.events.tool_markup import make_subagent, make_tool_call
from pincite.server import create_app
from pincite.settings import Settings
from tests.server.conftest import conversation_of


def test_conversations_are_listed_latest_first_a_page_at_a_time(client: TestClient) -> None:
    asked = [conversation_of(client, f"Question {number}?") for number in range(5)]
    conversation_of(client, "Once more?", conversationId=asked[1])
    found, before = [], ""
    for _ in range(3):
        page = client.get(f"/api/conversations?limit=2{before}").json()
        found += [each["id"] for each in page["conversations"]]
        before = f"&before={page['next']}"
    assert found == [asked[1], asked[4], asked[3], asked[2], asked[0]]
    assert page["next"] is None
    assert page["conversations"][0]["title"] == "Question 0?"


@pytest.mark.parametrize("before", ["", "x", "1-2", "-1", "1e9-" + "a" * 32, "9" * 400 + "-" + "a" * 32])
def test_a_page_that_never_was_is_a_mistake_of_the_caller(client: TestClient, before: str) -> None:
    assert client.get("/api/conversations", params={"before": before}).status_code == 400
    assert client.get("/api/documents", params={"before": before}).status_code == 400


def test_a_conversation_has_its_messages_with_answers_verdicts_and_ratings(client: TestClient) -> None:
    conversation = conversation_of(client)
    told = client.get(f"/api/conversations/{conversation}").json()
    question, answer = told["messages"]
    assert (told["title"], told["running"]) == ("How deep is Loch Ness?", False)
    assert (question["role"], question["content"]) == ("user", "How deep is Loch Ness?")
    assert question["asked"]["focus"] == "all"
    assert (answer["role"], answer["state"], answer["rating"]) == ("assistant", "done", None)
    assert [each["support"] for each in answer["answer"]["sentences"]] == ["verified", "unsupported"]
    assert answer["answer"]["citations"][0]["page"] == 3
    assert [each["title"] for each in answer["evidence"]] == ["Lakes"]
    assert question["evidence"] == []


def test_an_answer_is_rated_and_rated_again_and_the_rating_taken_back(client: TestClient) -> None:
    conversation = conversation_of(client)
    question, answer = client.get(f"/api/conversations/{conversation}").json()["messages"]
    url = f"/api/messages/{answer['id']}/rating"
    assert client.post(url, json={"value": 1}).json()["value"] == 1
    assert client.post(url, json={"value": -1, "comment": "Too short."}).status_code == 200
    rated = client.get(f"/api/conversations/{conversation}").json()["messages"][1]["rating"]
    assert (rated["value"], rated["comment"]) == (-1, "Too short.")
    assert client.post(url, json={"value": 3}).status_code == 422
    assert client.post(f"/api/messages/{question['id']}/rating", json={"value": 1}).status_code == 400
    assert client.delete(url).status_code == 204
    assert client.get(f"/api/conversations/{conversation}").json()["messages"][1]["rating"] is None
    assert client.post("/api/messages/nothing/rating", json={"value": 1}).status_code == 404


def test_a_conversation_is_renamed_and_removed(client: TestClient) -> None:
    conversation = conversation_of(client)
    url = f"/api/conversations/{conversation}"
    answer = client.get(url).json()["messages"][1]["id"]
    client.post(f"/api/messages/{answer}/rating", json={"value": 1})
    assert client.patch(url, json={"title": "Lakes"}).json()["title"] == "Lakes"
    assert client.get(url).json()["title"] == "Lakes"
    assert client.patch(url, json={"title": ""}).status_code == 422
    assert client.delete(url).status_code == 204
    for path in (url, f"{url}/events", f"{url}/export"):
        assert client.get(path).status_code == 404
    assert client.post(f"/api/messages/{answer}/rating", json={"value": 1}).status_code == 404
    # Its cost stays counted.
    assert client.get("/api/usage").json()["totals"]["answers"] == 1


def test_a_conversation_is_taken_along_as_a_file_with_footnotes(client: TestClient) -> None:
    url = f"/api/conversations/{conversation_of(client, 'How deep is it, à peu près?')}/export"
    for format, kind in (("md", "text/markdown"), ("html", "text/html"), ("json", "application/json")):
        answer = client.get(f"{url}?format={format}")
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["content-disposition"].endswith(f'filename="How-deep-is-it-peu-pr-s.{format}"')
        assert "page 3" in answer.text or json.loads(answer.text)["messages"][1]["answer"]["citations"][0]["page"] == 3
    paper = client.get(f"{url}?format=pdf")
    assert paper.headers["content-type"] == "application/pdf", paper.text
    assert paper.content.startswith(b"%PDF-")
    assert client.get(f"{url}?format=exe").status_code == 422


def test_the_sources_are_taken_along_for_other_programs(client: TestClient) -> None:
    conversation = conversation_of(client)
    url = f"/api/conversations/{conversation}/export"
    answer = client.get(f"/api/conversations/{conversation}").json()["messages"][1]
    document = answer["answer"]["citations"][0]["document"]
    for format, kind, begins in (
        ("bib", "application/x-bibtex", "@misc{lakes,"),
        ("ris", "application/x-research-info-systems", "TY  - "),
        ("csl", "application/vnd.citationstyles.csl+json", "["),
        ("txt", "text/plain", "Lakes & <script>alert(1)</script>. p. 3."),
    ):
        for about in ({}, {"message": answer["id"]}, {"message": answer["id"], "document": document}):
            told = client.get(url, params={"format": format, **about})
            assert told.headers["content-type"].startswith(kind)
            assert told.text.startswith(begins)
            assert told.headers["x-content-type-options"] == "nosniff"
    assert client.get(url, params={"format": "csl"}).headers["content-disposition"].endswith('.csl.json"')
    assert client.get(url, params={"format": "bib", "message": "nothing"}).status_code == 404
    assert client.get(url, params={"format": "bib", "document": "nothing"}).status_code == 404
    assert client.get(url, params={"format": "md", "message": answer["id"]}).status_code == 400


def test_an_export_runs_nothing_and_loads_nothing(client: TestClient) -> None:
    hostile = "<script>alert(1)</script> ![x](http://evil.example/p.png) [y](javascript:alert(1)) <img src=x onerror=1>"
    url = f"/api/conversations/{conversation_of(client, hostile)}/export?format=html"
    answer = client.get(url)
    assert "<script" not in answer.text
    assert "<img" not in answer.text
    assert 'href="javascript' not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<script" not in client.get(url.replace("html", "md")).text.replace("\\<", "")


def test_conversations_are_found_by_words_of_what_was_said(client: TestClient) -> None:
    lakes = conversation_of(client, "How deep is Loch Ness?")
    conversation_of(client, "And how cold?", conversationId=lakes)
    rent = conversation_of(client, "Quel est le dépôt de garantie ?")
    everything = client.get("/api/conversations").json()
    assert everything["total"] == 2
    assert [(each["id"], each["messages"], each["excerpt"]) for each in everything["conversations"]] == [
        (rent, 1, ""),
        (lakes, 2, ""),
    ]
    found = client.get("/api/conversations", params={"words": "DEPOT garantie"}).json()
    assert (found["total"], found["next"]) == (1, None)
    assert [(each["id"], each["excerpt"]) for each in found["conversations"]] == [
        (rent, "Quel est le dépôt de garantie ?")
    ]
    cold = client.get("/api/conversations", params={"words": "cold", "limit": 1}).json()
    assert [each["excerpt"] for each in cold["conversations"]] == ["And how cold?"]
    assert client.get("/api/conversations", params={"words": "cold rent"}).json()["conversations"] == []
    assert client.get("/api/conversations", params={"words": "x" * 301}).status_code == 422
    assert client.get("/api/conversations", params={"words": "\0%_'"}).json()["total"] == 0
    assert client.patch(f"/api/conversations/{lakes}", json={"title": "Lakes"}).json()["messages"] == 2


def test_an_answer_has_its_steps_and_how_each_ended(settings: Settings) -> None:
    async def working(_: Context) -> AsyncIterator[events.Data]:
        yield events.ToolCallStarted(content=make_tool_call("search", "t"), toolCallId="t", name="search")
        for id in ("a", "b"):
            content = make_subagent("deep_research", id, "How deep?")
            yield events.SubagentStarted(content=content, subagentId=id, name="deep_research", task="How deep?")
        yield events.SubagentError(subagentId="b", error="It took too long.", seconds=2)
        yield events.SubagentCompleted(subagentId="a", summary="Deep.", seconds=1)
        yield events.ToolCallSuccess(toolCallId="t")
        yield events.Text(delta="Deep.")

    with TestClient(create_app(settings, answer=working)) as client:
        told = client.get(f"/api/conversations/{conversation_of(client)}").json()["messages"][1]
    parts = told["activity"].replace("></", ">\n</").split("\n")
    assert [part.rpartition("<")[2].split()[0] for part in parts[:3]] == [
        "ToolCall",
        "SubagentExecution",
        "SubagentExecution",
    ]
    assert ['status="success"' in part for part in parts[:3]] == [True, True, False]
    assert 'error="It took too long."' in parts[2]
    assert [each["status"] for each in told["answer"]["subagents"]] == ["success", "error"]
