"""Whether a writer is gone does not hang on what anybody's clock says of the hour."""

import subprocess
import sys

from pincite.conversations.liveness import Liveness
from pincite.store.messages import StoredMessage
from pincite.store.process_names import get_machine_name, get_process_name

ELSEWHERE = "17@another-machine 1234"


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def message(process: str, heartbeat: float = 0.0) -> StoredMessage:
    return StoredMessage(
        id="m",
        conversation="c",
        owner="local",
        position=1,
        role="assistant",
        content="",
        state="running",
        created=0.0,
        updated=0.0,
        after=0,
        process=process,
        heartbeat=heartbeat,
    )


def test_a_writer_whose_clock_is_hours_away_is_alive_as_long_as_it_gives_signs() -> None:
    clock = Clock()
    liveness = Liveness("1@here x", stale=30, clock=clock)
    for hours in (-3600.0, 0.0, 3600.0):
        for beat in range(20):
            assert not liveness.has_lost_its_writer(message(ELSEWHERE, hours + 5 * beat))
            clock.now += 29


def test_a_writer_that_is_silent_for_long_enough_of_our_own_time_is_gone() -> None:
    clock = Clock()
    liveness = Liveness("1@here x", stale=30, clock=clock)
    assert not liveness.has_lost_its_writer(message(ELSEWHERE, 7.0))
    clock.now += 29
    assert not liveness.has_lost_its_writer(message(ELSEWHERE, 7.0))
    clock.now += 1
    assert liveness.has_lost_its_writer(message(ELSEWHERE, 7.0))


def test_silence_counts_from_the_moment_a_server_looked_around() -> None:
    clock = Clock()
    liveness = Liveness("1@here x", stale=30, clock=clock)
    liveness.watch([message(ELSEWHERE, 7.0)])
    clock.now += 30
    assert liveness.has_lost_its_writer(message(ELSEWHERE, 7.0))


def test_a_process_of_this_machine_that_ended_is_gone_at_once() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    liveness = Liveness("1@here x", stale=30)
    assert liveness.has_lost_its_writer(message(f"{ended.pid}@{get_machine_name()} 1234"))


def test_a_process_knows_itself_what_it_writes() -> None:
    ours = f"{get_process_name()} 1234"
    liveness = Liveness(ours, stale=30)
    liveness.begin("m")
    assert not liveness.has_lost_its_writer(message(ours))
    liveness.end("m")
    assert liveness.has_lost_its_writer(message(ours))
