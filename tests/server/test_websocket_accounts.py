"""The rights of people and programs over `/ws` in team mode, and the end of a connection."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosedError

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.roles import change_role, set_disabled
from pincite.accounts.sign_in_sessions import end_sessions
from pincite.accounts.tokens import list_tokens, revoke_token
from pincite.server import caller_watch, create_app
from pincite.server.project_actions import PROJECT_ACTIONS
from pincite.server.websocket_actions import ACTION_SCOPES, ACTIONS
from pincite.settings import Settings
from pincite.store import people
from tests.clock import PATIENCE
from tests.server.team import Member, StoredTeam, make_token, store_team
from tests.server.websocket_clients import Client, Stepwise, connected, read_to_the_end, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def team(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoredTeam]:
    monkeypatch.setattr(caller_watch, "LOOK_SECONDS", 0.05)
    with store_team(settings) as made:
        yield made


@asynccontextmanager
async def _program(port: int, token: str) -> AsyncIterator[Client]:
    """A client that has identified itself with a token."""
    async with connected(port, identify=False) as client:
        await client.send("identify", version=1, token=token)
        assert (await client.receive())["type"] == "identified"
        yield client


@asynccontextmanager
async def _browser(port: int, member: Member) -> AsyncIterator[Client]:
    """A client that has sent a cookie with the handshake, and identified itself without a token."""
    async with connected(port, additional_headers=member.signed_in) as client:
        yield client


async def _read_close_code(client: Client) -> int:
    """The code with which the server closes a connection, after what it still sends."""
    try:
        while True:
            await client.receive()
    except ConnectionClosedError as closed:
        return closed.rcvd.code if closed.rcvd else 0


async def test_a_program_is_its_token_and_a_browser_its_cookie(team: StoredTeam) -> None:
    async with serving(team.settings) as server:
        async with connected(server.port, identify=False) as client:
            await client.send("identify", version=1, token=team.member.token)
            assert (await client.receive())["owner"] == team.member.id
        headers = team.guest.signed_in
        async with connected(server.port, identify=False, additional_headers=headers) as client:
            await client.send("identify", version=1)
            assert (await client.receive())["owner"] == team.guest.id
        # A program that sends a token means it, whatever cookie there is.
        async with connected(server.port, identify=False, additional_headers=headers) as client:
            await client.send("identify", version=1, token=team.owner.token)
            assert (await client.receive())["owner"] == team.owner.id


@pytest.mark.parametrize("token", ["", "pin_stolen", "stolen"])
async def test_without_a_valid_token_or_cookie_the_connection_ends(team: StoredTeam, token: str) -> None:
    async with serving(team.settings) as server, connected(server.port, identify=False) as client:
        await client.send("identify", version=1, token=token)
        assert (await client.receive())["code"] == "not_signed_in"
        assert await _read_close_code(client) == 4401


async def test_an_action_needs_its_scope(team: StoredTeam) -> None:
    reading = make_token(team.database, team.owner.person, "read")
    asking = make_token(team.database, team.owner.person, "ask")
    async with serving(team.settings) as server:
        async with _program(server.port, reading) as client:
            assert (await client.act("usage"))["totals"]["answers"] == 0
            for action in (name for name in ACTIONS if name != "usage"):
                told = await client.request("action", action=action, data={})
                assert (told["code"], told["reason"]) == ("denied", "scope")
        async with _program(server.port, asking) as client:
            topic = await client.ask()
            await client.finish(topic)
            told = await client.request("subscribe", topics=[topic])
            assert (told["code"], told["params"]) == ("denied", {"scope": "read"})


async def test_projects_are_for_owners_of_the_server(team: StoredTeam, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "orders.py").write_text("secret_of_the_server = 1\n")
    given = team.settings.projects.model_copy(update={"folders": (folder,)})
    async with serving(team.settings.model_copy(update={"projects": given})) as server:
        async with _browser(server.port, team.member) as client:
            for action in PROJECT_ACTIONS:
                told = await client.request("action", action=action, data={"project": "shop"})
                assert (told["code"], told["params"]) == ("denied", {"scope": "admin"})
            told = await client.request("action", action="ask", data={"message": "What is it?", "project": "shop"})
            assert (told["code"], told["params"]) == ("denied", {"scope": "admin"})
        async with _browser(server.port, team.owner) as client:
            assert [each["name"] for each in (await client.act("projects"))["projects"]] == ["shop"]


async def test_every_action_is_known_with_its_scope() -> None:
    assert set(ACTIONS) == set(ACTION_SCOPES) | set(PROJECT_ACTIONS)


async def test_a_conversation_of_somebody_else_is_not_there(team: StoredTeam) -> None:
    async with serving(team.settings) as server:
        async with _browser(server.port, team.member) as client:
            topic = await client.ask()
            await client.finish(topic)
        conversation = topic.removeprefix("conversation:")
        async with _browser(server.port, team.owner) as client:
            assert (await client.request("subscribe", topics=[topic]))["code"] == "not_found"
            for action, data in (
                ("ask", {"message": "And now?", "conversationId": conversation}),
                ("stop", {"conversation": conversation}),
                ("stop_retrieval", {"conversation": conversation}),
                ("result", {"conversation": conversation, "call": "c", "status": "stop"}),
            ):
                told = await client.request("action", action=action, data=data)
                assert told.get("code") == "not_found", told


async def test_a_revoked_session_ends_its_connections_and_no_others(team: StoredTeam) -> None:
    async with (
        serving(team.settings) as server,
        _browser(server.port, team.member) as member,
        _program(server.port, team.member.token) as program,
        _browser(server.port, team.owner) as owner,
    ):
        # As another process does it: this one learns it from the database.
        assert end_sessions(team.database, AT_TERMINAL, team.member.id, time.time()) == 1
        assert await _read_close_code(member) == 4401
        assert await program.act("usage")
        assert await owner.act("usage")


async def test_a_revoked_token_ends_its_connections(team: StoredTeam) -> None:
    async with serving(team.settings) as server, _program(server.port, team.member.token) as client:
        (token,) = list_tokens(team.database, AT_TERMINAL, team.member.id)
        revoke_token(team.database, AT_TERMINAL, team.member.id, token.id, time.time())
        assert await _read_close_code(client) == 4401


async def test_a_disabled_or_removed_person_is_out(team: StoredTeam) -> None:
    async with (
        serving(team.settings) as server,
        _program(server.port, team.member.token) as member,
        _browser(server.port, team.guest) as guest,
    ):
        set_disabled(team.database, AT_TERMINAL, team.member.id, True, time.time())
        assert await _read_close_code(member) == 4401
        with team.database.writing() as connection:
            people.remove(connection, team.guest.id)
        assert await _read_close_code(guest) == 4401


async def test_an_owner_who_becomes_a_member_loses_the_open_connection_too(team: StoredTeam) -> None:
    with team.database.writing() as connection:
        people.set_role(connection, team.member.id, "owner", time.time())
    async with serving(team.settings) as server, _browser(server.port, team.member) as client:
        assert await client.act("projects") == {"projects": []}
        change_role(team.database, AT_TERMINAL, team.member.id, "member", time.time())
        assert await _read_close_code(client) == 4401


async def test_an_answer_goes_on_when_its_session_is_revoked(team: StoredTeam) -> None:
    answer = Stepwise(2)
    async with serving(team.settings, answer) as server:
        async with _browser(server.port, team.member) as client:
            topic = await client.ask("How deep?")
            end_sessions(team.database, AT_TERMINAL, team.member.id, time.time())
            assert await _read_close_code(client) == 4401
        answer.let_on()
        async with _program(server.port, team.member.token) as client:
            await client.subscribe(topic)
            async with asyncio.timeout(PATIENCE):
                told = await client.finish(topic)
            assert told[-1]["type"] == "message_completed"
            assert told[-1]["data"]["answer"] == "That is all."


async def test_the_secret_of_the_servers_own_user_is_good_on_ws_alone(team: StoredTeam) -> None:
    app = create_app(team.settings, secret="of the terminal")
    with TestClient(app) as client:
        with client.websocket_connect("/ws") as socket:
            socket.send_json({"type": "identify", "version": 1, "token": "of the terminal"})
            assert socket.receive_json()["owner"] == team.settings.owner
            socket.send_json({"type": "action", "id": "1", "action": "projects"})
            assert socket.receive_json()["data"] == {"projects": []}
        for headers in ({"Authorization": "Bearer of the terminal"}, {"Cookie": "pincite_session=of the terminal"}):
            assert client.get("/api/documents", headers=headers).status_code == 401


@pytest.mark.anyio
async def test_the_limit_and_the_usage_are_told_over_a_websocket(settings: Settings) -> None:
    limited = settings.model_copy(update={"quota": settings.quota.model_copy(update={"owner_credits": 0.0})})
    async with serving(limited) as server, connected(server.port) as client:
        told = await client.request("action", action="ask", data={"message": "How deep?"})
        assert (told["type"], told["code"], told["reason"]) == ("error", "quota", "monthly_limit")
        used = await client.act("usage", showUser=True)
        assert (used["quota"]["limit_reached"], used["quota"]["showUser"]) == (True, True)
        assert (await client.act("usage"))["quota"]["showUser"] is False


async def test_one_person_with_many_connections_keeps_nobody_out(team: StoredTeam) -> None:
    async with (
        serving(team.settings, connections=4) as server,
        _program(server.port, team.member.token) as first,
        _program(server.port, team.member.token),
        _program(server.port, team.member.token) as last,
        _program(server.port, team.guest.token) as other,
        _program(server.port, team.owner.token) as owner,
    ):
        assert (await read_to_the_end(first))[0] == 4429
        for each in (last, other, owner):
            await each.finish(await each.ask())
