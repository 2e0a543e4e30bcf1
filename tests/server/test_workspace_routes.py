"""Workspaces over HTTP: made, changed and removed, with what they mean for a question."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.context import Context
from pincite.server import create_app
from pincite.settings import load_settings
from pincite.store import documents, messages
from tests.server.conftest import TEXT, quoting
from tests.work import finish


@pytest.fixture
def asked() -> list[Context]:
    return []


@pytest.fixture
def client(tmp_path: Path, asked: list[Context]) -> Iterator[TestClient]:
    """A client of a server with two libraries, which notes how each question was asked."""

    async def noting(context: Context) -> AsyncIterator[events.Data]:
        asked.append(context)
        async for event in quoting(context):
            yield event

    app = create_app(load_settings(data=tmp_path / "data", embedding={"provider": "none"}), answer=noting)
    with TestClient(app) as client:
        for library in ("lakes", "seas"):
            file = (f"{library}.md", f"{TEXT}\n\nAbout {library}.")
            client.post("/api/documents", files={"file": file}, data={"library": library})
        finish(app.state.library)
        yield client


def make(client: TestClient, name: str = "Report", **given: object) -> str:
    made = client.post("/api/workspaces", json={"name": name, **given})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def ask(client: TestClient, **given: object) -> str:
    answered = client.post("/api/chat", json={"message": "How deep?", **given})
    assert answered.status_code == 200, answered.text
    return str(answered.headers["X-Conversation-Id"])


def list_conversations(client: TestClient, workspace: str) -> set[str]:
    found = client.get("/api/conversations", params={"workspace": workspace}).json()
    return {each["id"] for each in found["conversations"]}


def test_workspaces_are_made_found_changed_and_forgotten(client: TestClient) -> None:
    id = make(client, instructions="Be brief.", libraries=["seas", "lakes", "seas"])
    url = f"/api/workspaces/{id}"
    found = client.get(url).json()
    assert found == client.get("/api/workspaces/Report").json()
    assert [each["key"] for each in found["libraries"]] == ["lakes", "seas"]
    changed = client.put(url, json={"name": "Paper", "libraries": ["lakes"]}).json()
    assert (changed["name"], changed["instructions"]) == ("Paper", "")
    assert client.get("/api/workspaces").json() == [changed]
    assert client.delete(url).status_code == 204
    assert client.get(url).status_code == 404
    assert client.put(url, json={"name": "Paper"}).status_code == 404


def test_a_name_is_given_once_and_a_library_must_exist(client: TestClient) -> None:
    make(client)
    again = client.post("/api/workspaces", json={"name": "Report"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "taken")
    missing = client.post("/api/workspaces", json={"name": "Other", "libraries": ["none"]})
    assert (missing.status_code, missing.json()["error"]["reason"]) == (404, "library")
    assert client.post("/api/workspaces", json={"name": ""}).status_code == 422


def test_a_question_gets_the_instructions_and_libraries_of_its_workspace(
    client: TestClient, asked: list[Context]
) -> None:
    make(client, instructions="Answer for the board.", libraries=["lakes"])
    conversation = ask(client, workspace="Report")
    ask(client, conversationId=conversation)
    assert len(asked) == 2
    for each in asked:
        assert each.asked.workspace_instructions == "Answer for the board."
        assert each.asked.scope.libraries is not None
        assert [key.name for key in each.asked.scope.libraries] == ["lakes"]
    ask(client, workspace="Report", library="seas")
    assert (asked[-1].asked.scope.library, asked[-1].asked.scope.libraries) == ("seas", None)
    ask(client)
    assert (asked[-1].asked.workspace, asked[-1].asked.workspace_instructions) == ("", "")
    refused = client.post("/api/chat", json={"message": "x", "workspace": "none"}).json()["error"]
    assert refused["reason"] == "workspace"


def test_only_the_libraries_of_the_workspace_are_searched(client: TestClient, asked: list[Context]) -> None:
    make(client, libraries=["lakes"])
    make(client, "All of it", libraries=["lakes", "seas"])
    ask(client, workspace="Report")
    ask(client, workspace="All of it")
    found = []
    for context in asked:
        with context.services.library.database.reading() as connection:
            found.append(documents.list_ids_in_scope(connection, context.asked.scope))
    lakes = client.get("/api/documents", params={"library": "lakes"}).json()["documents"]
    assert found == [frozenset(each["id"] for each in lakes), None]


def test_tags_narrow_the_libraries_of_the_workspace(client: TestClient, asked: list[Context]) -> None:
    make(client, libraries=["lakes"])
    listed = client.get("/api/documents").json()["documents"]
    client.post("/api/documents/tags", json={"documents": [each["id"] for each in listed], "add": ["deep"]})
    conversation = ask(client, workspace="Report", tags=["deep"])
    scope = asked[-1].asked.scope
    assert ([key.name for key in scope.libraries or ()], scope.tags) == (["lakes"], ("deep",))
    with asked[-1].services.library.database.reading() as connection:
        found = documents.list_ids_in_scope(connection, scope)
        stored = messages.find_all(connection, conversation)
    lakes = client.get("/api/documents", params={"library": "lakes"}).json()["documents"]
    assert found == frozenset(each["id"] for each in lakes)
    assert [each.asked["tags"] for each in stored if each.asked] == [["deep"]]


def test_passages_are_searched_in_the_libraries_of_a_workspace(client: TestClient) -> None:
    make(client, libraries=["lakes"])
    make(client, "Empty")

    def list_titles(**more: str) -> set[str]:
        found = client.get("/api/passages", params={"words": "About lakes seas", **more}).json()["passages"]
        lakes = client.get("/api/documents", params={"library": "lakes"}).json()["documents"][0]["id"]
        return {"lakes" if each["document"] == lakes else "seas" for each in found}

    assert list_titles() == list_titles(workspace="Empty") == {"lakes", "seas"}
    assert list_titles(workspace="Report") == {"lakes"}
    assert client.get("/api/passages", params={"words": "lakes", "workspace": "None"}).status_code == 404


def test_a_workspace_lists_its_notebooks_and_leaves_them_when_it_is_removed(client: TestClient) -> None:
    report, paper = make(client), make(client, "Paper")

    def begin(**given: str) -> str:
        return str(client.post("/api/notebooks", json={"title": "Notes", **given}).json()["id"])

    def find(**given: str) -> set[str]:
        return {each["id"] for each in client.get("/api/notebooks", params=given).json()}

    first, second = begin(workspace="Report"), begin()
    assert (find(workspace=report), find()) == ({first}, {first, second})
    for workspace in (report, paper):
        assert client.put(f"/api/workspaces/{workspace}/notebooks/{second}").status_code == 204
    assert (find(workspace=report), find(workspace="Paper")) == ({first}, {second})
    assert client.get(f"/api/notebooks/{second}").json()["workspace"] == paper
    assert client.patch(f"/api/notebooks/{second}", json={"title": "New"}).json()["workspace"] == paper
    assert client.delete(f"/api/workspaces/{paper}/notebooks/{second}").status_code == 204
    assert find(workspace=paper) == set()
    client.delete(f"/api/workspaces/{report}")
    assert find() == {first, second}
    assert client.get(f"/api/notebooks/{first}").json()["workspace"] == ""
    assert client.get("/api/notebooks", params={"workspace": report}).status_code == 404
    assert client.post("/api/notebooks", json={"title": "X", "workspace": "None"}).status_code == 404
    assert find() == {first, second}


def test_a_workspace_lists_its_conversations_and_leaves_them_when_it_is_removed(client: TestClient) -> None:
    report, paper = make(client), make(client, "Paper")
    first, second, other = ask(client, workspace=report), ask(client), ask(client)
    assert list_conversations(client, report) == {first}
    for workspace in (report, paper):
        assert client.put(f"/api/workspaces/{workspace}/conversations/{second}").status_code == 204
    assert list_conversations(client, report) == {first}
    assert list_conversations(client, paper) == {second}
    assert client.get(f"/api/workspaces/{paper}").json()["conversations"] == 1
    assert client.delete(f"/api/workspaces/{paper}/conversations/{second}").status_code == 204
    assert list_conversations(client, paper) == set()
    client.delete(f"/api/workspaces/{report}")
    listed = client.get("/api/conversations").json()["conversations"]
    assert {each["id"] for each in listed} == {first, second, other}
    assert client.get("/api/conversations", params={"workspace": report}).status_code == 404
