"""The main program of the isolated process. It runs one task after another until the parent has ended."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO

from pincite import errors
from pincite.isolation.frames import DONE, ERROR, FRAME, LARGEST, PROGRESS, RESULT, split_bytes
from pincite.isolation.sandbox import limit_cpu, read_rules, restrict
from pincite.isolation.tasks import TASKS

Send = Callable[[bytes, bytes], None]

_PARENT_SECONDS = 1.0  # between two checks whether the parent still runs
_SWOLLEN_MB = 600  # a process that used more memory than this is replaced


def serve(requests: IO[bytes], send: Send, seconds: float) -> None:
    """Answer each line of requests with a result or an error, and with progress before it."""

    def reset_timers() -> None:
        # If the parent is gone, a task that hangs is ended by these timers.
        if hasattr(signal, "alarm"):
            signal.alarm(int(seconds) + 60)
        limit_cpu(seconds + 60)

    def progress(page: int, pages: int) -> None:
        reset_timers()
        send(PROGRESS, json.dumps([page, pages]).encode())

    for line in requests:
        reset_timers()
        request = json.loads(line)
        try:
            result = TASKS[request["task"]](request, progress)
            for part in split_bytes(result) if isinstance(result, bytes) else result:
                if len(part) > LARGEST:
                    raise errors.TooLarge("A part of the document is too large.", "Split the file.")
                send(RESULT, part)
            send(DONE, b"1" if _is_swollen() else b"0")
        except errors.PinciteError as error:
            fields = {"code": error.code, "message": error.message, "hint": error.hint, "reason": error.reason}
            send(ERROR, json.dumps(fields).encode())


def main() -> None:
    """Restrict this process, and run the tasks that come from the parent."""
    seconds, rules = float(sys.argv[1]), read_rules(sys.argv[2])
    pipe = os.fdopen(os.dup(1), "wb")
    # Output that a library prints must not get into the pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    restrict(rules)  # before any thread starts: a running thread would keep all its rights
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
    """End this process soon after its parent ended."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)


def _measure_memory() -> float:
    """Return the peak memory of this process in MB; 0 where the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0.0
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kilobytes, on macOS bytes
    return size / (1_000_000 if sys.platform == "darwin" else 1_000)


# On Linux the peak begins with the parent's memory at the start: children of a large server would seem large.
_AT_START = _measure_memory()


def _is_swollen() -> bool:
    return _measure_memory() > max(_SWOLLEN_MB, _AT_START)


if __name__ == "__main__":
    main()
