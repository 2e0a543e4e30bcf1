"""Every action and subscription of `/ws` for everybody: the rows of the access matrix that are no routes."""

import itertools
import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from pincite.server.websocket_actions import ACTION_SCOPES, ACTIONS
from pincite.server.websocket_connection import REFUSED
from tests.server.access_world import ACCOUNT, CONTENT, SHARED, Sender, World, open_world

Told = dict[str, Any]
# Actions about a conversation, and the error of those who may: there is no such call, and nothing runs.
OF_CONVERSATIONS: dict[str, Told] = {"stop": {}, "stop_retrieval": {}, "result": {"call": "none", "status": "applied"}}
# Actions about a project: a folder of the server's machine.
OF_PROJECTS: dict[str, Told] = {
    "projects": {},
    "tree": {},
    "read_file": {"path": "notes.txt"},
    "search": {"q": "note"},
    "apply": {"changes": "none"},
    "undo": {},
    "changes": {},
}
OTHERS: dict[str, Told] = {"usage": {}, "redeem": {"code": "NO-SUCH-CODE"}}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, _routes_made_once: None) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("websockets")) as world:
        yield world


@dataclass
class Line:
    """A connection of a sender, and all that it was told."""

    socket: WebSocketTestSession
    told: list[str] = field(default_factory=list)
    ids: Iterator[int] = field(default_factory=itertools.count)

    def ask(self, type: str, **fields: Any) -> Told:
        """The reply to a message. Events may come before it."""
        id = str(next(self.ids))
        self.socket.send_json({"type": type, "id": id, **fields})
        while True:
            found = self.receive()
            if found.get("id") == id:
                return found

    def act(self, action: str, data: Told) -> Told:
        return self.ask("action", action=action, data=data)

    def receive(self) -> Told:
        text = self.socket.receive_text()
        self.told.append(text)
        found: Told = json.loads(text)
        return found


@contextmanager
def open_line(world: World, sender: Sender) -> Iterator[Line]:
    """A connection that has sent its token, or has a cookie."""
    token = sender.headers.get("Authorization", "").removeprefix("Bearer ")
    headers = {} if token else dict(sender.headers)
    world.client.cookies.clear()
    with world.client.websocket_connect("/ws", headers=headers) as socket:
        socket.send_json({"type": "identify", "version": 1, "token": token, "client": "tests"})
        yield Line(socket)


def known(world: World) -> list[Sender]:
    return [sender for sender in world.senders if sender.person]


def conversation_of(world: World, name: str) -> str:
    listed = world.as_person(name, "GET", "/api/conversations")["conversations"]
    if not listed:
        world.as_person(name, "POST", "/api/chat", {"message": "Who is the boatman?"})
        listed = world.as_person(name, "GET", "/api/conversations")["conversations"]
    return str(listed[0]["id"])


def without(told: Told, *names: str) -> str:
    """A message without its number and these names."""
    text = json.dumps({**told, "id": ""}, sort_keys=True)
    for name in names:
        text = text.replace(name, "<name>")
    return text


def check_hidden(line: Line, sender: Sender, replies: list[tuple[Told, str]]) -> None:
    """Somebody else's is told in the same words as something that does not exist."""
    (first, one), (second, other) = replies
    assert (first["type"], first.get("code")) == ("error", "not_found"), (sender, first)
    assert without(first, one) == without(second, other), sender


def find_traces(line: Line, sender: Sender, *written: str) -> list[str]:
    told = "\n".join(line.told)
    for each in written:
        told = told.replace(each, "")
    words = {} if sender.person_name == "Mia" else CONTENT | ({} if sender.access else SHARED) | ACCOUNT
    return [name for name, word in words.items() if word.lower() in told.lower()]


def test_every_action_has_a_rule_here() -> None:
    assert ACTIONS.keys() == {"ask", *OF_CONVERSATIONS, *OF_PROJECTS, *OTHERS}
    assert ACTION_SCOPES.keys() == ACTIONS.keys() - OF_PROJECTS.keys()


def test_a_connection_without_a_valid_session_or_token_is_ended(world: World) -> None:
    for sender in world.senders:
        if not sender.person:
            with open_line(world, sender) as line:
                told = line.receive()
                assert (told["type"], told["code"]) == ("error", "not_signed_in"), sender
                with pytest.raises(WebSocketDisconnect) as ended:
                    line.receive()
            assert ended.value.code == REFUSED
            assert find_traces(line, sender) == []


def test_nothing_is_done_before_a_connection_has_identified_itself(world: World) -> None:
    with world.client.websocket_connect("/ws", headers=dict(world.people["Mia"].signed_in)) as socket:
        line = Line(socket)
        for action in ACTIONS:
            assert line.act(action, {})["code"] == "not_identified"
        told = line.ask("subscribe", topics=[f"conversation:{conversation_of(world, 'Mia')}"])
        assert told["code"] == "not_identified"


def test_actions_on_a_conversation_are_for_its_owner(world: World) -> None:
    mias, unknown = conversation_of(world, "Mia"), uuid.uuid4().hex
    for sender in known(world):
        with open_line(world, sender) as line:
            assert line.receive()["type"] == "identified"
            for action, data in OF_CONVERSATIONS.items():
                told = line.act(action, {**data, "conversation": mias})
                if "ask" not in sender.scopes:
                    assert told["code"] == "denied", (sender, action, told)
                elif sender.person_name == "Mia":
                    assert told["type"] == "result" or told["reason"] == "call", (sender, action, told)
                else:
                    check_hidden(
                        line, sender, [(told, mias), (line.act(action, {**data, "conversation": unknown}), unknown)]
                    )
            assert find_traces(line, sender, mias) == [], sender


def test_a_conversation_is_followed_by_its_owner_alone(world: World) -> None:
    mias, unknown = conversation_of(world, "Mia"), uuid.uuid4().hex
    for sender in known(world):
        own = conversation_of(world, sender.person_name)
        with open_line(world, sender) as line:
            assert line.receive()["type"] == "identified"
            told = line.ask("subscribe", topics=[f"conversation:{mias}"])
            if "read" not in sender.scopes:
                assert told["code"] == "denied", (sender, told)
            elif sender.person_name == "Mia":
                assert told["type"] == "subscribed", (sender, told)
            else:
                other = line.ask("subscribe", topics=[f"conversation:{unknown}"])
                check_hidden(line, sender, [(told, mias), (other, unknown)])
                both = line.ask("subscribe", topics=[f"conversation:{own}", f"conversation:{mias}"])
                assert both["code"] == "not_found", sender
                assert line.ask("subscribe", topics=[f"conversation:{own}"])["type"] == "subscribed", sender
            assert find_traces(line, sender, mias) == [], sender


def test_folders_of_the_servers_machine_are_for_its_owners(world: World) -> None:
    project = world.as_person("Ada", "GET", "/api/projects")["projects"][0]["id"]
    for sender in known(world):
        with open_line(world, sender) as line:
            assert line.receive()["type"] == "identified"
            for action, data in OF_PROJECTS.items():
                told = line.act(action, data if action == "projects" else {**data, "project": project})
                is_denied = told.get("code") == "denied"
                assert is_denied == ("admin" not in sender.scopes), (sender, action, told)
            if "ask" in sender.scopes and "admin" not in sender.scopes:
                assert line.act("ask", {"message": "What is in it?", "project": project})["code"] == "denied"


def test_the_rest_is_about_the_sender_alone(world: World) -> None:
    for sender in known(world):
        with open_line(world, sender) as line:
            assert line.receive()["type"] == "identified"
            for action, data in OTHERS.items():
                told = line.act(action, data)
                is_denied = told.get("code") == "denied"
                assert is_denied == (ACTION_SCOPES[action] not in sender.scopes), (sender, action, told)
            assert find_traces(line, sender) == [], sender


def test_a_question_names_only_what_its_sender_may_see(world: World) -> None:
    named = {
        "conversationId": (conversation_of(world, "Mia"), uuid.uuid4().hex),
        "documents": (find_document(world, CONTENT["private library"]), uuid.uuid4().hex),
        "library": (f"~Mia/{CONTENT['private library']}", f"~Mia/{uuid.uuid4().hex}"),
        "workspace": (
            world.as_person("Mia", "POST", "/api/workspaces", {"name": f"Of Mia {world.count()}"})["id"],
            uuid.uuid4().hex,
        ),
        "persona": (world.as_person("Mia", "GET", "/api/personas")[0]["id"], uuid.uuid4().hex),
    }
    for sender in known(world):
        if sender.person_name != "Mia":
            with open_line(world, sender) as line:
                assert line.receive()["type"] == "identified"
                for name, values in named.items():
                    replies = []
                    for value in values:
                        given = [value] if name == "documents" else value
                        replies.append((line.act("ask", {"message": "Tell me.", name: given}), value))
                    if "ask" in sender.scopes:
                        check_hidden(line, sender, replies)
                    else:
                        assert replies[0][0]["code"] == "denied", (sender, name)
                written = [value for values in named.values() for value in values]
                assert find_traces(line, sender, *written) == [], sender


def find_document(world: World, library: str) -> str:
    """The id of Mia's document in a library."""
    return str(world.as_person("Mia", "GET", f"/api/documents?library={library}")["documents"][0]["id"])
