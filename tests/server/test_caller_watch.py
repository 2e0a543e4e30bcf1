"""Streams end when their session or token is revoked, also by another process; answers go on."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.sign_in_sessions import end_sessions
from pincite.accounts.tokens import list_tokens, revoke_token
from pincite.server import caller_watch
from pincite.settings import Settings
from tests.clock import PATIENCE
from tests.server.team import StoredTeam, store_team
from tests.server.websocket_clients import Stepwise, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def team(settings: Settings) -> Iterator[StoredTeam]:
    with store_team(settings) as made:
        yield made


@asynccontextmanager
async def _open_client(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        yield client


async def _read_to_end(response: httpx2.Response) -> str:
    async with asyncio.timeout(PATIENCE):
        return "".join([piece async for piece in response.aiter_text()])


async def _begin_answer(client: httpx2.AsyncClient, headers: dict[str, str]) -> Any:
    """A stream whose answer has begun."""
    request = client.build_request("POST", "/api/chat", json={"message": "How deep?"}, headers=headers)
    response = await client.send(request, stream=True)
    assert response.status_code == 200
    return response


async def test_the_stream_of_an_answer_ends_with_its_session_and_the_answer_goes_on(
    team: StoredTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_watch, "LOOK_SECONDS", 0.05)
    answer = Stepwise(2)
    async with serving(team.settings, answer) as server, _open_client(server.http) as client:
        stream = await _begin_answer(client, team.member.signed_in)
        end_sessions(team.database, AT_TERMINAL, team.member.id, time.time())
        assert "message_completed" not in await _read_to_end(stream)
        answer.let_on()
        path = f"/api/conversations/{stream.headers['x-conversation-id']}/events"
        assert (await client.get(path, headers=team.member.signed_in)).status_code == 401
        told = await client.get(path, headers=team.member.headers)
        assert "That is all." in told.text


async def test_every_stream_of_a_token_ends_when_it_is_revoked(
    team: StoredTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_watch, "LOOK_SECONDS", 0.05)
    answer = Stepwise(1)
    async with serving(team.settings, answer) as server, _open_client(server.http) as client:
        asking = await _begin_answer(client, team.member.headers)
        events = f"/api/conversations/{asking.headers['x-conversation-id']}/events"
        streams = [
            asking,
            *[
                await client.send(client.build_request("GET", path, headers=team.member.headers), stream=True)
                for path in (events, "/api/documents/events")
            ],
        ]
        other = await client.send(
            client.build_request("GET", "/api/documents/events", headers=team.owner.headers), stream=True
        )
        (token,) = list_tokens(team.database, AT_TERMINAL, team.member.id)
        revoke_token(team.database, AT_TERMINAL, team.member.id, token.id, time.time())
        for stream in streams:
            await _read_to_end(stream)
        assert not other.is_closed
        await other.aclose()
        answer.let_on()


async def test_a_session_that_is_ended_here_ends_its_streams_without_waiting_for_the_next_look(
    team: StoredTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_watch, "LOOK_SECONDS", PATIENCE)
    answer = Stepwise(1)
    async with serving(team.settings, answer) as server, _open_client(server.http) as client:
        stream = await _begin_answer(client, team.member.signed_in)
        assert (await client.post("/api/account/sign-out", headers=team.member.signed_in)).status_code == 204
        await _read_to_end(stream)
        answer.let_on()


async def test_a_busy_database_ends_no_stream(
    team: StoredTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from pincite.errors import Busy
    from pincite.server.caller_watch import CallerWatch

    looked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def fail(*_: object) -> set[object]:
        loop.call_soon_threadsafe(looked.set)
        raise Busy("The database is busy.")

    monkeypatch.setattr(caller_watch, "find_revoked", fail)
    watch = CallerWatch(team.database, team.settings)
    watch.start()
    with watch.watch(team.member.caller.principal) as revoked:
        for _ in range(2):
            watch.wake()
            async with asyncio.timeout(PATIENCE):
                await looked.wait()
            looked.clear()
        assert not revoked.is_set()
    await watch.stop()
    assert "The database is busy." in caplog.text
