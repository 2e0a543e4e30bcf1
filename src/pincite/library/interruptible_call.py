"""Run a long call that cannot be interrupted, so that the caller can stop waiting for it."""

import threading
from collections.abc import Callable
from typing import TypeVar

_Made = TypeVar("_Made")
_TICK = 0.25  # seconds between two checks


def run_watched(call: Callable[[], _Made], look: Callable[[], None]) -> _Made:
    """Return the result of a call; `look` is called meanwhile and may raise to abandon the call.

    The call continues in its thread until it ends: it must not change anything that others rely on.
    """
    made: list[_Made] = []
    failed: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            made.append(call())
        except BaseException as error:  # noqa: BLE001 - it is raised in the waiting thread
            failed.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True, name="watched").start()
    while not done.wait(_TICK):
        look()
    if failed:
        raise failed[0]
    return made[0]
