"""Projects over HTTP: read, search, ask, apply what was proposed, and undo it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.context import Context
from pincite.answer.project_files import ProjectFiles
from pincite.answer.proposed_changes import describe_changes
from pincite.projects.allowed_edits import plan_allowed
from pincite.projects.change_set import Refusal
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.projects.project import open_project
from pincite.server import create_app
from pincite.server.project_actions import PROJECT_ACTIONS, run_project_action
from pincite.settings import load_settings
from tests.projects_given import RETRY, SHAPES, make_project

TITLE = create_search_replace_block("README.md", "# Sketches\n", "# Drawings\n")
CIRCLE = create_search_replace_block("src/shapes.py", "class Circle:\n", "class Disc:\n")
WRONG = create_search_replace_block("src/shapes.py", "class Triangle:\n", "class Disc:\n")

SECRET = Refusal(2, ".env", "secret_file", ".env may hold secrets.")


async def proposing(context: Context) -> AsyncIterator[events.Data]:
    """Answers every question with the same two changes, and asks to go on."""
    asked, files = context.asked, context.project
    assert isinstance(files, ProjectFiles)
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    is_secret = "secret" in asked.question
    reply = f"{TITLE}\n\n{'DELETE .env' if is_secret else CIRCLE}\n"
    planned = plan_allowed(files.project.root, reply, {2: SECRET} if is_secret else {})
    changes = describe_changes(planned, asked.question_id, "" if files.is_given else files.id, reply)
    files.close()
    calls = [events.ClientCall(id=f"{asked.question_id}-{tool}", tool=tool) for tool in ("apply_changes", "continue")]
    yield events.Text(delta="I propose this.")
    yield events.Answer(
        answer="I propose this.",
        refused=False,
        question=asked.question,
        model="fake",
        sentences=[],
        citations=[],
        usage=events.Usage(requests=1),
        changes=changes,
        calls=calls,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "sketches")


@pytest.fixture
def server(tmp_path: Path, root: Path) -> Iterator[TestClient]:
    settings = load_settings(
        data=tmp_path / "data", embedding={"provider": "none"}, projects={"folders": [root]}, models={"chat": ""}
    )
    with TestClient(create_app(settings, answer=proposing)) as client:
        yield client


def ask(server: TestClient, **given: Any) -> tuple[str, dict[str, Any]]:
    """The id of a new conversation, and its first answer. Without a model, a question asks for no change."""
    response = server.post("/api/chat", json={"message": "What is in the title?", **given})
    assert response.status_code == 200, response.text
    conversation = response.headers["X-Conversation-Id"]
    (_, told) = server.get(f"/api/conversations/{conversation}").json()["messages"]
    return conversation, told["answer"]


def error_of(response: Any) -> tuple[int, str, str]:
    error = response.json()["error"]
    return response.status_code, error["code"], error.get("reason", "")


def test_projects_are_listed_and_found_by_id_and_name(server: TestClient, root: Path) -> None:
    (listed,) = server.get("/api/projects").json()["projects"]
    assert listed == {"id": open_project(root).id, "name": "sketches", "folder": str(root.resolve())}
    for name in (listed["id"], "sketches"):
        tree = server.get(f"/api/projects/{name}/tree").json()
        assert (tree["level"], tree["files"], tree["project"]) == ("full", 5, listed["id"])
        assert "retry.py" in tree["text"]
    assert error_of(server.get("/api/projects/other/tree")) == (404, "not_found", "project")


def test_a_file_is_read_with_its_hash(server: TestClient) -> None:
    read = server.get("/api/projects/sketches/files", params={"path": "src/net/retry.py"}).json()
    assert (read["text"], read["lines"], read["newline"]) == (RETRY, 19, "\n")
    assert len(read["sha256"]) == 64


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "src", "nowhere.py", ".git/config", "a\0b"])
def test_no_file_outside_is_read(server: TestClient, path: str) -> None:
    response = server.get("/api/projects/sketches/files", params={"path": path})
    assert response.status_code in (400, 404)


def test_parts_are_found_with_their_lines(server: TestClient) -> None:
    found = server.get("/api/projects/sketches/search", params={"q": "compute delay", "limit": 1}).json()["parts"]
    assert [(each["path"], each["name"], each["first_line"], each["last_line"]) for each in found] == [
        ("src/net/retry.py", "compute_delay", 8, 10)
    ]
    assert found[0]["text"].startswith("def compute_delay")


def test_proposed_changes_are_applied_reported_and_undone(server: TestClient, root: Path) -> None:
    conversation, answer = ask(server, project="sketches")
    changes = answer["changes"]
    assert (root / "README.md").read_text().startswith("# Sketches")
    applied = server.post("/api/projects/sketches/apply", json={"changes": changes["id"]}).json()
    assert applied["applied"]
    assert [each["path"] for each in applied["files"]] == ["README.md", "src/shapes.py"]
    assert (root / "README.md").read_text().startswith("# Drawings")
    assert "class Disc:" in (root / "src" / "shapes.py").read_text()
    result = {"call": answer["calls"][0]["id"], "status": "applied", "files": ["README.md", "src/shapes.py"]}
    taken = server.post(f"/api/conversations/{conversation}/results", json=result).json()
    assert taken["message"] is None
    told = server.get(f"/api/conversations/{conversation}").json()["messages"][1]
    assert [(each["status"], each["files"]) for each in told["results"]] == [("applied", result["files"])]
    (listed,) = server.get("/api/projects/sketches/changes").json()["changes"]
    assert (listed["id"], listed["undone"]) == (applied["id"], False)
    undone = server.post("/api/projects/sketches/undo", json={"change": applied["id"]}).json()
    assert len(undone["files"]) == 2
    assert (root / "src" / "shapes.py").read_text() == SHAPES
    assert error_of(server.post("/api/projects/sketches/undo"))[0] == 400


def test_only_the_accepted_files_are_changed(server: TestClient, root: Path) -> None:
    _, answer = ask(server, project="sketches")
    body = {"changes": answer["changes"]["id"], "paths": ["README.md"]}
    applied = server.post("/api/projects/sketches/apply", json=body).json()
    assert [each["path"] for each in applied["files"]] == ["README.md"]
    assert (root / "src" / "shapes.py").read_text() == SHAPES


def test_a_file_of_which_a_block_does_not_fit_is_not_written_in_part(server: TestClient, root: Path) -> None:
    missing = "./README.md\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n"
    before = (root / "README.md").read_text()
    for paths in (["README.md"], ["./README.md"]):
        body = {"reply": f"{TITLE}\n{missing}", "paths": paths}
        assert error_of(server.post("/api/projects/sketches/apply", json=body)) == (409, "edit_refused", "not_found")
    assert (root / "README.md").read_text() == before


def test_the_second_client_is_told_that_the_file_was_changed(server: TestClient, root: Path) -> None:
    _, first = ask(server, project="sketches")
    _, second = ask(server, project="sketches")
    assert server.post("/api/projects/sketches/apply", json={"changes": first["changes"]["id"]}).status_code == 200
    late = server.post("/api/projects/sketches/apply", json={"changes": second["changes"]["id"]})
    assert late.status_code == 409
    (root / "README.md").write_text("# Sketches\n\nMine.\n")
    hashes = {each["path"]: each["before_sha256"] for each in second["changes"]["files"]}
    body = {"reply": TITLE, "before_sha256": hashes}
    assert error_of(server.post("/api/projects/sketches/apply", json=body)) == (409, "edit_refused", "file_changed")
    assert (root / "README.md").read_text() == "# Sketches\n\nMine.\n"


def test_a_dry_run_says_what_would_be_done_and_does_nothing(server: TestClient, root: Path) -> None:
    body = {"reply": f"{TITLE}\n\n{WRONG}", "dry_run": True}
    tried = server.post("/api/projects/sketches/apply", json=body).json()
    assert not tried["applied"]
    assert [each["path"] for each in tried["files"]] == ["README.md"]
    assert [(each["number"], each["path"]) for each in tried["refused"]] == [(2, "src/shapes.py")]
    assert (root / "README.md").read_text().startswith("# Sketches")


@pytest.mark.parametrize("more", [{}, {"paths": ["README.md", ".env"]}])
def test_an_edit_that_was_refused_for_a_secret_is_not_applied_with_the_others(
    server: TestClient, root: Path, more: dict[str, Any]
) -> None:
    _, answer = ask(server, project="sketches", message="What is the secret?")
    body = {"changes": answer["changes"]["id"]}
    response = server.post("/api/projects/sketches/apply", json=body | more)
    assert error_of(response) == (409, "edit_refused", "secret_file")
    applied = server.post("/api/projects/sketches/apply", json=body | {"paths": ["README.md"]})
    assert applied.status_code == 200
    assert (root / ".env").exists()


def test_one_edit_that_does_not_apply_prevents_them_all(server: TestClient, root: Path) -> None:
    refused = server.post("/api/projects/sketches/apply", json={"reply": f"{TITLE}\n\n{WRONG}"})
    assert error_of(refused)[:2] == (409, "edit_refused")
    assert (root / "README.md").read_text().startswith("# Sketches")


@pytest.mark.parametrize(
    "body", [{}, {"changes": "a", "reply": TITLE}, {"reply": "no edits here"}, {"reply": TITLE, "paths": ["other.py"]}]
)
def test_changes_that_are_none_are_refused(server: TestClient, body: dict[str, Any]) -> None:
    assert error_of(server.post("/api/projects/sketches/apply", json=body)) == (400, "misuse", "no_changes")


def test_changes_that_do_not_exist_are_not_found(server: TestClient) -> None:
    assert error_of(server.post("/api/projects/sketches/apply", json={"changes": "x"}))[:2] == (404, "not_found")


def test_a_request_is_continued(server: TestClient) -> None:
    conversation, answer = ask(server, project="sketches")
    body = {"call": answer["calls"][1]["id"], "status": "continue"}
    taken = server.post(f"/api/conversations/{conversation}/results", json=body).json()
    assert taken["message"]
    server.get(f"/api/conversations/{conversation}/events", params={"after": taken["after"]})
    whole = server.get(f"/api/conversations/{conversation}").json()["messages"]
    assert [each["role"] for each in whole] == ["user", "assistant", "user", "assistant"]
    assert whole[2]["content"] == "Continue: What is in the title?"
    assert whole[2]["asked"]["project"] == "sketches"
    assert whole[3]["id"] == taken["message"]
    again = server.post(f"/api/conversations/{conversation}/results", json=body)
    assert error_of(again) == (409, "settled", "call")


def test_a_client_that_holds_the_files_sends_them_with_each_turn(server: TestClient) -> None:
    files = [
        {"path": "README.md", "content": "# Sketches\n"},
        {"path": "src/shapes.py", "content": "class Circle:\n    pass\n"},
    ]
    conversation, answer = ask(server, files=files)
    assert answer["changes"]["project"] == ""
    assert len(answer["changes"]["files"]) == 2
    body = {"call": answer["calls"][1]["id"], "status": "continue", "contents": files[:1]}
    taken = server.post(f"/api/conversations/{conversation}/results", json=body).json()
    server.get(f"/api/conversations/{conversation}/events", params={"after": taken["after"]})
    last = server.get(f"/api/conversations/{conversation}").json()["messages"][-1]["answer"]
    assert [each["path"] for each in last["changes"]["files"]] == ["README.md"]


@pytest.mark.parametrize(
    "body",
    [
        {"call": "", "status": "applied"},
        {"call": "a", "status": "done"},
        {"call": "a", "status": "applied", "extra": 1},
        {"status": "applied"},
    ],
)
def test_a_result_of_another_form_is_refused(server: TestClient, body: dict[str, Any]) -> None:
    conversation, _ = ask(server, project="sketches")
    assert server.post(f"/api/conversations/{conversation}/results", json=body).status_code == 422


def test_a_cited_file_opens_as_a_document(tmp_path: Path, root: Path) -> None:
    settings = load_settings(
        data=tmp_path / "data", embedding={"provider": "none"}, projects={"folders": [root]}, models={"chat": ""}
    )
    with TestClient(create_app(settings)) as server:
        body = {"message": "How is the delay computed before an attempt?", "project": "sketches"}
        citation = server.post("/api/search", json=body).json()["citations"][0]
        url = f"/api/documents/{citation['document']}"
        assert server.get(url).json()["kind"] == "code"
        text = server.get(f"{url}/text").json()["text"]
        first, last = citation["lines"]
        assert text == RETRY
        assert (
            "\n".join(text.splitlines()[first - 1 : last])
            == citation["quote"]
            == text[citation["start"] : citation["end"]]
        )
        assert server.get("/api/documents").json()["total"] == 0
        assert server.get("/api/libraries").json()["libraries"] == []


@pytest.mark.anyio
async def test_an_action_has_the_data_and_the_result_of_its_route(server: TestClient) -> None:
    services = cast(FastAPI, server.app).state.services
    assert set(PROJECT_ACTIONS) >= {"projects", "tree", "read_file", "apply", "undo"}
    listed = await run_project_action("projects", services, "local", {})
    assert listed == server.get("/api/projects").json()
    read = await run_project_action("read_file", services, "local", {"project": "sketches", "path": "README.md"})
    assert read == server.get("/api/projects/sketches/files", params={"path": "README.md"}).json()
    with pytest.raises(Exception, match="path") as refused:
        await run_project_action("read_file", services, "local", {"project": "sketches"})
    assert getattr(refused.value, "reason", "") == "invalid"
    with pytest.raises(Exception, match="no action") as refused:
        await run_project_action("format_disk", services, "local", {})
    assert getattr(refused.value, "reason", "") == "unknown_action"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
