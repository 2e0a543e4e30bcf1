"""The isolated process: it does one task after another and writes frames to its pipe until the parent is gone."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO

from pincite import errors
from pincite.isolation.frames import DONE, ERROR, FRAME, LARGEST, PROGRESS, RESULT, cut
from pincite.isolation.sandbox import limit_cpu, read_rules, restrict
from pincite.isolation.tasks import TASKS

Send = Callable[[bytes, bytes], None]

_PARENT_SECONDS = 1.0  # between two looks whether the parent is still there
_SWOLLEN_MB = 600  # a process that took more memory than this for one task is replaced


def serve(requests: IO[bytes], send: Send, seconds: float) -> None:
    """Answer each line of requests with a result or an error, and with progress before it."""

    def watch() -> None:
        # Should the parent be gone, a hang ends itself.
        if hasattr(signal, "alarm"):
            signal.alarm(int(seconds) + 60)
        limit_cpu(seconds + 60)

    def progress(page: int, pages: int) -> None:
        watch()
        send(PROGRESS, json.dumps([page, pages]).encode())

    for line in requests:
        watch()
        request = json.loads(line)
        try:
            made = TASKS[request["task"]](request, progress)
            for part in cut(made) if isinstance(made, bytes) else made:
                if len(part) > LARGEST:
                    raise errors.TooLarge("A part of the document is too large.", "Split the file.")
                send(RESULT, part)
            send(DONE, b"1" if _is_swollen() else b"0")
        except errors.PinciteError as error:
            told = {"code": error.code, "message": error.message, "hint": error.hint}
            send(ERROR, json.dumps(told).encode())


def main() -> None:
    seconds, rules = float(sys.argv[1]), read_rules(sys.argv[2])
    pipe = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not stand in the pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    restrict(rules)  # before any thread: one that is running would keep all its rights
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def send(letter: bytes, payload: bytes) -> None:
        pipe.write(FRAME.pack(letter, len(payload)))
        pipe.write(payload)
        pipe.flush()

    try:
        serve(sys.stdin.buffer, send, seconds)
    except (BrokenPipeError, KeyboardInterrupt):
        pass


def _end_with_parent() -> None:
    """End this process soon after the one that started it is gone."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)


def _measure_memory() -> float:
    """The most memory that this process had, in MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kilobytes, on macOS bytes
    return size / (1_000_000 if sys.platform == "darwin" else 1_000)


# Linux counts what the parent had when it started this process: a large server would have children that seem so.
_AT_START = _measure_memory()


def _is_swollen() -> bool:
    return _measure_memory() > max(_SWOLLEN_MB, _AT_START)


if __name__ == "__main__":
    main()
