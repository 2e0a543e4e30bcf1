"""A hundred questions at the edge of a limit, through the whole server, in threads and in processes."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite import events
from pincite.accounts.quota import get_month
from pincite.answer.context import Context
from pincite.server import create_app
from pincite.settings import Settings, load_settings
from pincite.store import credits
from pincite.store.credits import CREDIT, Balance
from pincite.store.database import Database, open_database
from tests.accounts.credit_rows import read_balances, sum_rows
from tests.clock import PATIENCE
from tests.conversations.conftest import whole
from tests.server.team import HASHING, Member, store_team
from tests.thorough import mark_slow

QUESTIONS = 100
LIMIT = 23  # credits
_QUOTA = {
    "person_credits": LIMIT,
    "answer_credits": 5,
    "request_tokens": 1000,
    "questions_per_minute": 0,
    "prices": {"extractive": {"input": 1000, "output": 1000}},
}


async def _spend_all(context: Context) -> AsyncIterator[events.Data]:
    """Costs what was reserved, to the last token."""
    asked = context.asked
    yield events.MessageStarted(
        conversationId=asked.conversation, question=asked.question, model="extractive", focus="all"
    )
    await asyncio.sleep(0)
    tokens = (context.spending.limit or 0) * 1000 // CREDIT
    context.spending.close_request(context.spending.open_request("extractive", 0), tokens, 0)
    yield whole("Deep.", asked.question, model="extractive")


async def _never_end(context: Context) -> AsyncIterator[events.Data]:
    async for data in _spend_all(context):
        yield data
        await asyncio.Event().wait()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return _load(tmp_path)


def _load(folder: Path) -> Settings:
    return load_settings(
        data=folder / "data",
        embedding={"provider": "none"},
        accounts={"mode": "team"},
        quota=_QUOTA,
        server={"hosts": ["testserver"]},
        research={"subagents": False},
    )


def _ask_many(folder: str, headers: dict[str, str], questions: int, path: str) -> dict[int, int]:
    """Ask in many threads at once; return how often each status came."""
    app = create_app(_load(Path(folder)), answer=_spend_all, hashing=HASHING)
    with (
        TestClient(app, raise_server_exceptions=False, headers=headers) as client,
        ThreadPoolExecutor(questions) as pool,
    ):

        def ask(_: int) -> Any:
            return client.post(path, json={"message": "How deep is the lake?"})

        told = list(pool.map(ask, range(questions)))
    assert {each.json()["error"]["reason"] for each in told if each.status_code == 429} <= {"monthly_limit"}
    return dict(Counter(each.status_code for each in told))


def _balance(database: Database, person: Member) -> Balance:
    with database.reading() as connection:
        assert sum_rows(connection) == read_balances(connection)
        found = credits.get_balance(connection, person.id, get_month(time.time()))
    return Balance(found.spent, found.reserved)


@pytest.mark.parametrize("path", ["/api/chat", mark_slow("/api/search")])
def test_a_hundred_questions_at_once_overspend_by_nothing(settings: Settings, tmp_path: Path, path: str) -> None:
    with store_team(settings) as team:
        told = _ask_many(str(tmp_path), team.member.headers, QUESTIONS, path)
        # Four answers of 5 credits, and one of the 3 that are left.
        assert told == {200: 5, 429: QUESTIONS - 5}
        assert _balance(team.database, team.member) == Balance(LIMIT * CREDIT, 0)


@pytest.mark.slow
def test_two_servers_on_one_database_overspend_by_nothing(settings: Settings, tmp_path: Path) -> None:
    with store_team(settings) as team:
        processes = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
        with processes as pool:
            asking = [
                pool.submit(_ask_many, str(tmp_path), team.member.headers, QUESTIONS // 2, path)
                for path in ("/api/chat", "/api/search")
            ]
            told = sum((Counter(each.result(PATIENCE)) for each in asking), Counter[int]())
        assert told == {200: 5, 429: QUESTIONS - 5}
        assert _balance(team.database, team.member) == Balance(LIMIT * CREDIT, 0)


def _ask_without_end(folder: str, headers: dict[str, str]) -> None:
    app = create_app(_load(Path(folder)), answer=_never_end, hashing=HASHING)
    with TestClient(app, headers=headers) as client, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: client.post("/api/chat", json={"message": "How deep?"}), range(4)))


def test_a_server_that_is_killed_gives_its_reservations_back(settings: Settings, tmp_path: Path) -> None:
    with store_team(settings) as team:
        spawn = multiprocessing.get_context("spawn")
        killed = spawn.Process(target=_ask_without_end, args=(str(tmp_path), team.member.headers))
        killed.start()
        ends = time.monotonic() + PATIENCE
        while _balance(team.database, team.member).reserved < 20 * CREDIT:
            assert time.monotonic() < ends
            assert killed.is_alive()
            time.sleep(0.05)
        assert killed.pid
        os.kill(killed.pid, signal.SIGKILL)
        killed.join(PATIENCE)
        told = _ask_many(str(tmp_path), team.member.headers, 10, "/api/search")
        assert told == {200: 5, 429: 5}
        assert _balance(team.database, team.member) == Balance(LIMIT * CREDIT, 0)


def test_a_server_of_another_machine_gives_them_back_when_its_lease_has_ended(settings: Settings) -> None:
    with store_team(settings) as team:
        database = open_database(team.settings)
        now = time.time()
        with database.writing() as connection:
            held = credits.add_reservation(
                connection, team.member.id, "member", get_month(now), LIMIT * CREDIT, "1@elsewhere x", now + 120, now
            )
        with database.writing() as connection:
            assert not credits.return_abandoned(connection, now + 119)
            assert [each.id for each in credits.return_abandoned(connection, now + 121)] == [held.id]
        assert _balance(database, team.member) == Balance(0, 0)
        database.close()


def test_the_limit_is_told_over_http_with_everything_that_a_person_can_do(settings: Settings, tmp_path: Path) -> None:
    with store_team(settings) as team:
        _ask_many(str(tmp_path), team.member.headers, 6, "/api/search")
        app = create_app(_load(tmp_path), answer=_spend_all, hashing=HASHING)
        with TestClient(app, headers=team.member.headers) as client:
            told = client.post("/api/chat", json={"message": "How deep?"})
            used = client.get("/api/usage").json()["quota"]
            assert client.get("/api/conversations").json()["total"] == 0
    error = told.json()["error"]
    assert (told.status_code, error["code"], error["reason"]) == (429, "quota", "monthly_limit")
    assert error["params"] == {
        "scope": "person",
        "used": LIMIT,
        "reserved": 0,
        "limit": LIMIT,
        "resets": used["resets"],
    }
    assert (used["used"], used["percent"], used["limit_reached"], used["warning"]) == (float(LIMIT), 100.0, True, 100)
