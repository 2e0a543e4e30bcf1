"""How a host is treated."""

import anyio
import pytest

from pincite.errors import WebError
from pincite.web.rate_limit import LONGEST_REST, RateLimit


class Waiting:
    """A sleep that is over at once, and remembers how long it would have been."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await anyio.sleep(0)


def test_a_host_is_visited_by_so_many_at_once_and_others_meanwhile() -> None:
    manners, now, most = RateLimit(2, 0.0), {"a": 0, "b": 0}, {"a": 0, "b": 0}

    async def visit(host: str) -> None:
        async with manners.turn(host):
            now[host] += 1
            most[host] = max(most[host], now[host])
            await anyio.sleep(0.001)
            now[host] -= 1

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(visit, "a")
            group.start_soon(visit, "b")

    anyio.run(all_of_them)
    assert most == {"a": 2, "b": 1}


def test_between_two_visits_is_the_pause_or_the_longer_one_the_host_asks_for() -> None:
    waiting = Waiting()
    manners = RateLimit(2, 100.0, waiting)

    async def visits() -> None:
        for host, delay in (("a", 0.0), ("a", 0.0), ("a", 500.0), ("a", 0.0), ("b", 0.0)):
            async with manners.turn(host, delay):
                pass

    anyio.run(visits)
    assert [round(each, -2) for each in waiting.slept] == [0, 100, 200, 700, 0]


def test_a_redirect_by_the_host_itself_does_not_wait() -> None:
    waiting = Waiting()
    manners = RateLimit(2, 100.0, waiting)

    async def visits() -> None:
        async with manners.turn("a"):
            pass
        async with manners.turn("a", is_sent=True):
            pass
        async with manners.turn("a"):
            pass

    anyio.run(visits)
    assert [round(each, -2) for each in waiting.slept] == [0, 0, 100]


def test_a_host_that_wants_a_rest_is_left_alone_and_told_about() -> None:
    manners = RateLimit(1, 0.0)

    async def visit() -> None:
        manners.rest("a", 1_000_000)
        async with manners.turn("b"):
            pass
        async with manners.turn("a"):
            pass

    with pytest.raises(WebError, match=f"another {LONGEST_REST:.0f} seconds") as caught:
        anyio.run(visit)
    assert caught.value.hint


def test_a_visit_that_is_given_up_leaves_its_place_to_the_next() -> None:
    manners = RateLimit(1, 0.0)

    async def visits() -> bool:
        with anyio.move_on_after(0.01):
            async with manners.turn("a"):
                await anyio.sleep_forever()
        async with manners.turn("a"):
            return True

    assert anyio.run(visits)


def test_hosts_that_nobody_visits_any_more_are_forgotten() -> None:
    manners = RateLimit(1, 0.0)

    async def visits() -> None:
        async with manners.turn("kept"):
            for number in range(1500):
                async with manners.turn(f"host-{number}"):
                    pass
            assert "kept" in manners._places

    anyio.run(visits)
    assert len(manners._places) <= 1000
