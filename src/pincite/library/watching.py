"""A call that takes long and cannot be interrupted, watched so that whoever waits for it can leave."""

import threading
from collections.abc import Callable
from typing import TypeVar

_Made = TypeVar("_Made")
_TICK = 0.25  # seconds between two looks


def run_watched(call: Callable[[], _Made], look: Callable[[], None]) -> _Made:
    """What a call gives; `look` is called meanwhile and may raise to leave the call to itself.

    The call goes on in its thread until it ends: it must not change anything that others rely on.
    """
    made: list[_Made] = []
    failed: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            made.append(call())
        except BaseException as error:  # noqa: BLE001 - it is raised where the call is waited for
            failed.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True, name="watched").start()
    while not done.wait(_TICK):
        look()
    if failed:
        raise failed[0]
    return made[0]
