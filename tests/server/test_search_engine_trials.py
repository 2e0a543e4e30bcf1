"""The trial of a search engine's address tells whether a SearXNG is there, and nothing of other ports."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from pincite.server.search_engine_trials import EngineTrials
from pincite.web.searxng import EngineCheck
from tests.free_ports import find_free_port
from tests.sites import page, serving

pytestmark = pytest.mark.anyio

SEARCH = "/search?q=wikipedia&format=json"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Hours:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def closed_port() -> int:
    return find_free_port()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


async def test_closed_silent_and_foreign_ports_get_the_same_answer_after_the_same_time(
    closed_port: int, silent_port: int
) -> None:
    told: list[EngineCheck] = []
    ended: list[float] = []
    with serving() as site:
        site.pages[SEARCH] = page(b"<h1>The printer's own page</h1>")
        for url in (f"http://127.0.0.1:{closed_port}", f"http://127.0.0.1:{silent_port}", site.url("/")):
            hours = Hours()
            trials = EngineTrials(seconds=0.2, clock=hours, sleep=hours.sleep)
            told.append(await trials.run(url))
            ended.append(hours.now)
    assert len(set(told)) == 1
    assert not told[0].ok
    assert "formats: [html, json]" in told[0].hint
    assert ended == [0.2] * 3


async def test_a_search_engine_that_answers_is_told_at_once() -> None:
    hours = Hours()
    with serving() as site:
        site.pages[SEARCH] = page(json.dumps({"query": "wikipedia", "results": [{"url": "http://x"}]}).encode())
        told = await EngineTrials(clock=hours, sleep=hours.sleep).run(site.url("/"))
    assert told.ok
    assert hours.slept == []


async def test_only_so_many_addresses_are_tried_in_a_minute(closed_port: int) -> None:
    hours = Hours()
    trials = EngineTrials(seconds=1.0, most=3, clock=hours, sleep=hours.sleep)
    url = f"http://127.0.0.1:{closed_port}"
    told = [await trials.run(url) for _ in range(5)]
    assert len({each.detail for each in told[:3]}) == 1
    assert told[3] == told[4] != told[0]
    assert "Wait a minute" in told[3].hint
    assert hours.now == 3.0  # those that were refused reached nothing and took no time
    hours.now += 60
    assert await trials.run(url) == told[0]


async def test_a_mistake_in_the_address_is_told_without_reaching_anything() -> None:
    hours = Hours()
    trials = EngineTrials(most=0, clock=hours, sleep=hours.sleep)
    assert "http://" in (await trials.run("ftp://x")).detail
    assert "may not be at" in (await trials.run("http://169.254.169.254")).detail
    assert hours.slept == []
