"""A server removes expired sessions and links when it starts, and each day."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from pincite.accounts.sign_in_sessions import begin_session
from pincite.errors import Busy
from pincite.server import account_cleanup
from pincite.server.account_cleanup import AccountCleanup
from pincite.settings import Settings
from pincite.store import sessions
from tests.clock import PATIENCE
from tests.server.team import StoredTeam, store_team
from tests.server.websocket_clients import connected, list_tasks, serving

pytestmark = pytest.mark.anyio

_YEAR = 365 * 86_400
_TASKS = {"AccountCleanup._run", "CallerWatch._run"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def team(settings: Settings) -> Iterator[StoredTeam]:
    with store_team(settings) as made:
        yield made


def _count_sessions(team: StoredTeam) -> int:
    with team.database.reading() as connection:
        return len(sessions.find(connection, team.member.id))


async def test_a_server_that_starts_removes_what_has_expired(team: StoredTeam) -> None:
    with team.database.writing() as connection:
        begin_session(connection, team.member.person, time.time() - _YEAR, "", "")
    assert _count_sessions(team) == 2
    async with serving(team.settings), asyncio.timeout(PATIENCE):
        while _count_sessions(team) == 2:
            await asyncio.sleep(0.01)
    assert _count_sessions(team) == 1


async def test_its_tasks_end_with_the_server_and_local_mode_has_none(team: StoredTeam, settings: Settings) -> None:
    async with serving(team.settings) as server, connected(server.port, identify=False):
        assert list_tasks() >= _TASKS
    assert not list_tasks() & _TASKS
    async with serving(settings) as server, connected(server.port):
        assert not list_tasks() & _TASKS


async def test_it_is_done_again_later_though_it_failed_once(
    team: StoredTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loop, done, tries = asyncio.get_running_loop(), asyncio.Event(), iter([Busy("The database is busy.")])

    def fail_at_first(*_: object) -> int:
        if error := next(tries, None):
            raise error
        loop.call_soon_threadsafe(done.set)
        return 0

    monkeypatch.setattr(account_cleanup, "remove_expired_rows", fail_at_first)
    cleanup = AccountCleanup(team.database, team.settings, seconds=0.001)
    cleanup.start()
    async with asyncio.timeout(PATIENCE):
        await done.wait()
    await cleanup.stop()
    assert "The database is busy." in caplog.text
