"""A server with accounts: each person sees over HTTP what is theirs or shared with them, and nothing else."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.tokens import create_token
from pincite.library import Library
from pincite.server import create_app
from pincite.server.background_worker import BackgroundWorker
from pincite.server.progress_routes import ProgressWatcher
from pincite.settings import load_settings
from pincite.store import library_shares, people
from pincite.store.library_shares import Access
from pincite.store.people import Role
from tests.server.conftest import TEXT, quoting
from tests.server.uploads import read, upload

SCOPES: dict[Role, tuple[str, ...]] = {
    "owner": ("read", "ask", "write", "admin"),
    "member": ("read", "ask", "write"),
    "guest": ("read", "ask"),
}
OTHER = "# Rivers\n\nThe river runs quietly to the northern sea.\n"


@dataclass(frozen=True)
class Team:
    """A server with people, and a client for each of them."""

    app: FastAPI
    running: TestClient

    @property
    def library(self) -> Library:
        found: Library = self.app.state.library
        return found

    def add(self, name: str, role: Role = "member") -> TestClient:
        """A client that makes its requests for a new person."""
        now = time.time()  # the server deletes a guest of long ago who has no token yet
        with self.library.database.writing() as connection:
            people.create(connection, name, role, now, id=name.lower())
        made = create_token(self.library.database, AT_TERMINAL, name.lower(), "test", SCOPES[role], now)
        client = TestClient(self.app, raise_server_exceptions=False)
        client.portal = self.running.portal  # all requests run in the loop of the server
        client.headers["Authorization"] = f"Bearer {made.secret}"
        return client

    def share(self, owner: str, library: str, access: Access, person: str | None = None) -> str:
        """Share a library with a person, or with everyone; the id of the share."""
        with self.library.database.writing() as connection:
            made = library_shares.put(connection, owner, library, access, 1.0, person=person, everyone=person is None)
            return made.id

    def unshare(self, owner: str, library: str, share: str) -> None:
        with self.library.database.writing() as connection:
            library_shares.remove(connection, owner, library, share)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    settings = load_settings(
        data=tmp_path / "data",
        embedding={"provider": "none"},
        reading={"max_file_mb": 1},
        accounts={"mode": "team"},
        web={"search_url": "http://10.0.0.7:8080"},
    )
    app = create_app(settings, answer=quoting)
    with TestClient(app) as running:
        yield Team(app, running)


def _list(client: TestClient, **given: str) -> list[str]:
    answer = client.get("/api/documents", params=given)
    assert answer.status_code == 200, answer.text
    return sorted(each["name"] for each in answer.json()["documents"])


def _is_missing(answer: Any) -> bool:
    return bool(answer.status_code == 404 and answer.json()["error"]["code"] == "not_found")


def _is_denied(answer: Any) -> bool:
    problem = answer.json()["error"]
    return bool(answer.status_code == 403 and (problem["code"], problem["reason"]) == ("denied", "access"))


_READS: tuple[Callable[[TestClient, str], Any], ...] = (
    lambda client, id: client.get(f"/api/documents/{id}"),
    lambda client, id: client.get(f"/api/documents/{id}/file"),
    lambda client, id: client.get(f"/api/documents/{id}/pages"),
    lambda client, id: client.get(f"/api/documents/{id}/text"),
    lambda client, id: client.get(f"/api/documents/{id}/boxes", params={"start": 0, "end": 9}),
    lambda client, id: client.get(f"/api/documents/{id}/find", params={"words": "deep"}),
    lambda client, id: client.get(f"/api/documents/{id}/passages"),
    lambda client, id: client.get(f"/api/documents/{id}/blocks"),
    lambda client, id: client.get(f"/api/documents/{id}/outline"),
    lambda client, id: client.get(f"/api/documents/{id}/events"),
    lambda client, id: client.post("/api/locate", json={"document": id, "text": "Loch Ness is 230 metres deep."}),
)
_CHANGES: tuple[Callable[[TestClient, str], Any], ...] = (
    lambda client, id: client.patch(f"/api/documents/{id}", json={"title": "Mine"}),
    lambda client, id: client.post(f"/api/documents/{id}/cancel"),
    lambda client, id: client.post(f"/api/documents/{id}/retry"),
    lambda client, id: client.delete(f"/api/documents/{id}"),
)


def test_a_document_is_closed_to_strangers_open_to_readers_and_closed_again_when_the_share_ends(team: Team) -> None:
    ada, bob, olga = team.add("Ada"), team.add("Bob"), team.add("Olga", "owner")
    id = upload(ada, library="work")["id"]
    read(ada)
    for stranger in (bob, olga):  # an owner of the server is a stranger to the documents of others
        for request in (*_READS, *_CHANGES):
            assert _is_missing(request(stranger, id))
        assert _list(stranger) == []
    share = team.share("ada", "work", "reader", "bob")
    for request in _READS:
        assert request(bob, id).status_code == 200
    for request in _CHANGES:
        assert _is_denied(request(bob, id))
    assert _list(bob) == _list(bob, library="~Ada/work") == ["lakes.md"]
    team.unshare("ada", "work", share)
    for request in (*_READS, *_CHANGES):
        assert _is_missing(request(bob, id))
    assert _list(bob) == []
    assert _is_missing(bob.get("/api/documents", params={"library": "~Ada/work"}))


def test_libraries_name_their_owner_and_what_one_may_do(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    upload(ada, library="work")
    upload(ada, "rivers.md", OTHER, library="private")
    upload(bob, "rivers.md", OTHER, library="home")
    team.share("ada", "work", "writer", "bob")
    told = bob.get("/api/libraries").json()
    size, other = len(TEXT.encode()), len(OTHER.encode())
    home = {"key": "home", "name": "home", "owner": None, "access": "owner", "shared": False}
    work = {"key": "~Ada/work", "name": "work", "owner": {"id": "ada", "name": "Ada"}, "access": "writer"}
    assert told["libraries"] == [
        {**home, "documents": 1, "bytes": other},
        {**work, "shared": True, "documents": 1, "bytes": size},
    ]
    assert (told["documents"], told["bytes"], told["stored"]) == (2, size + other, None)
    own = {each["key"]: each["shared"] for each in ada.get("/api/libraries").json()["libraries"]}
    assert own == {"work": True, "private": False}


def test_a_document_that_a_writer_sends_belongs_to_the_owner_and_tells_nothing_of_private_places(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    upload(ada, "secret-name.md", library="private", folder="plans")
    upload(ada, "rivers.md", OTHER, library="work")
    team.share("ada", "work", "writer", "bob")
    told = upload(bob, library="~Ada/work")
    assert (told["outcome"], told["libraries"], told["folder"]) == ("new", ["~Ada/work"], "")
    assert ada.get(f"/api/documents/{told['id']}").json()["libraries"] == ["private", "work"]
    assert bob.delete(f"/api/documents/{told['id']}").status_code == 204
    assert _is_missing(bob.get(f"/api/documents/{told['id']}"))
    assert ada.get(f"/api/documents/{told['id']}").json()["libraries"] == ["private"]


def test_nobody_adds_to_a_library_that_is_not_shared_for_writing(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    upload(ada, library="work")

    def send(library: str) -> Any:
        return bob.post("/api/documents", files={"file": ("a.md", OTHER)}, data={"library": library})

    assert _is_missing(send("~Ada/work"))
    team.share("ada", "work", "reader", "bob")
    assert _is_denied(send("~Ada/work"))
    assert (send("~mine").status_code, send("~mine").json()["error"]["reason"]) == (400, "library_name")
    assert _list(ada) == ["lakes.md"]


def test_a_guest_reads_what_everyone_may_and_changes_nothing(team: Team) -> None:
    ada, guest = team.add("Ada"), team.add("guest 1", "guest")
    upload(ada, library="work")
    id = upload(ada, "rivers.md", OTHER, library="open")["id"]
    read(ada)
    assert _list(guest) == []
    team.share("ada", "open", "owner")
    assert _list(guest) == ["rivers.md"]
    assert guest.get(f"/api/documents/{id}/text").status_code == 200
    assert guest.delete(f"/api/documents/{id}").status_code == 403
    (shown,) = guest.get("/api/libraries").json()["libraries"]
    assert shown["access"] == "reader"


def test_suggestions_come_from_documents_that_one_may_see(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    upload(ada, library="work")
    read(ada)
    assert bob.get("/api/suggestions").json() == []
    team.share("ada", "work", "reader", "bob")
    assert [each["title"] for each in bob.get("/api/suggestions").json()] == ["Lakes"]


def test_progress_is_told_of_shared_documents_until_the_share_ends(team: Team) -> None:
    ada = team.add("Ada")
    team.add("Bob")
    hidden, shown = upload(ada, library="private"), upload(ada, "rivers.md", OTHER, library="work")
    share = team.share("ada", "work", "reader", "bob")
    watcher = ProgressWatcher(team.library, "bob", BackgroundWorker(team.library))
    told = b"".join(watcher.look()).decode()
    assert shown["id"] in told
    assert hidden["id"] not in told
    team.unshare("ada", "work", share)
    assert b"".join(watcher.look()).decode().startswith("event: removed")
    assert watcher.look() == []


def test_a_question_about_a_library_that_is_not_shared_is_refused(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    id = upload(ada, library="work")["id"]
    for named in ({"library": "~Ada/work"}, {"library": "work"}, {"documents": [id]}):
        assert _is_missing(bob.post("/api/search", json={"message": "How deep?", **named}))
    team.share("ada", "work", "reader", "bob")
    for shown in ({"library": "~Ada/work"}, {"documents": [id]}):
        assert bob.post("/api/search", json={"message": "How deep?", **shown}).status_code == 200


def test_a_conversation_is_private_in_every_route(team: Team) -> None:
    ada, olga = team.add("Ada"), team.add("Olga", "owner")
    with ada.stream("POST", "/api/chat", json={"message": "How deep?"}) as answer:
        answer.read()
        here, message = answer.headers["x-conversation-id"], answer.headers["x-message-id"]
    for method, path, body in (
        ("GET", f"/api/conversations/{here}", None),
        ("PATCH", f"/api/conversations/{here}", {"title": "Mine"}),
        ("GET", f"/api/conversations/{here}/events", None),
        ("GET", f"/api/conversations/{here}/export", None),
        ("POST", f"/api/conversations/{here}/stop", {}),
        ("POST", f"/api/conversations/{here}/stop", {"retrieval": True}),
        ("POST", f"/api/conversations/{here}/results", {"call": "c", "status": "applied"}),
        ("POST", "/api/chat", {"message": "And?", "conversationId": here}),
        ("POST", f"/api/messages/{message}/rating", {"value": 1}),
        ("DELETE", f"/api/messages/{message}/rating", None),
        ("GET", f"/api/messages/{message}/media/1", None),
        ("DELETE", f"/api/conversations/{here}", None),
    ):
        assert _is_missing(olga.request(method, path, json=body)), (method, path)
    assert olga.get("/api/conversations", params={"words": "deep"}).json()["conversations"] == []
    assert ada.get(f"/api/conversations/{here}").status_code == 200


def test_addresses_and_folders_of_the_server_are_shown_to_its_owners_alone(team: Team) -> None:
    ada, olga = team.add("Ada"), team.add("Olga", "owner")
    shown, whole = (client.get("/api/settings").json() for client in (ada, olga))
    assert (shown["search_url"], shown["search_url_from"]) == ("", "file")
    assert whole["search_url"] == "http://10.0.0.7:8080"
    assert all(each["detail"] == each["hint"] == "" for each in ada.get("/api/models").json())
    refused = ada.post("/api/chat", json={"message": "What is here?", "project": "home"})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "scope")


def test_personas_and_settings_are_each_persons_own(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    made = ada.post("/api/personas", json={"name": "Pirate", "instructions": "Say arr."}).json()
    assert bob.get("/api/personas").json() == []
    for name in (made["id"], "Pirate"):
        assert _is_missing(bob.get(f"/api/personas/{name}"))
        assert _is_missing(bob.delete(f"/api/personas/{name}"))
    assert _is_missing(bob.post("/api/search", json={"message": "Who?", "persona": "Pirate"}))


def test_a_workspace_lacks_a_library_that_is_not_shared_any_more(team: Team) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    upload(ada, "tides.md", "# Tides\n\nThe tide is high.", library="Shelf")
    share = team.share("ada", "Shelf", "reader", "bob")
    made = bob.post("/api/workspaces", json={"name": "Tides", "libraries": ["~Ada/Shelf"]}).json()
    assert made["libraries"] == [{"key": "~Ada/Shelf", "name": "Shelf"}]
    assert _is_missing(ada.get("/api/workspaces/Tides"))
    assert _is_missing(ada.post("/api/search", json={"message": "Who?", "workspace": "Tides"}))
    team.unshare("ada", "Shelf", share)
    assert bob.get("/api/workspaces/Tides").json()["libraries"] == []
    upload(bob, "own.md", "# Own\n\nThe tide is low.", library="Own")
    changed = bob.put("/api/workspaces/Tides", json={"name": "Tides", "libraries": ["Own"]}).json()
    assert [each["key"] for each in changed["libraries"]] == ["Own"]
    # The one that could not be shown stays, and is there again when it is shared again.
    team.share("ada", "Shelf", "reader", "bob")
    assert [each["key"] for each in bob.get("/api/workspaces/Tides").json()["libraries"]] == ["Own", "~Ada/Shelf"]
    taken = bob.put("/api/workspaces/Tides", json={"name": "Tides", "libraries": ["Own"]}).json()
    assert [each["key"] for each in taken["libraries"]] == ["Own"]
