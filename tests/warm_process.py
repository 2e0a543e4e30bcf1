"""A process that has imported the program, and forks a copy of itself for each run of it.

The imports of a server take two seconds of CPU time, and the tests start hundreds. A copy gets its own arguments,
variables, folder and streams, and runs `pincite.cli.main` as `python -m pincite` does, or code as `python -c` does.
Started as a script, this module is that process: it reads one request after another from the socket whose number is its
argument.
"""

import atexit
import gc
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO, cast

_LONGEST = 1 << 17  # bytes of a request
_PAUSE = 0.01  # seconds between two looks whether a copy has ended
_HEAD = (sys.executable, "-m", "pincite")
_SCRIPT = (sys.executable, "-c")
_VARIABLES = dict(os.environ)  # of the process to fork from
_READ_BY_PYTHON = ("PYTHON", "LANG", "LC_")  # beginnings of the variables that only a new process heeds
_QUICK = {"ask", "search"}  # they import as little as they can, which a copy cannot show
_KNOWN = {"env", "cwd", "stdin", "stdout", "stderr", "text", "encoding", "errors", "start_new_session"}


class WarmProcess:
    """The process to fork from, begun with the first copy. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def fork(self, run: dict[str, Any], streams: tuple[int, int, int]) -> int:
        """Start a copy with these arguments, variables and folder, and return its process id."""
        return int(self._request(run, streams))

    def find_status(self, process_id: int) -> int | None:
        """Return the status with which a copy ended, as `os.waitpid` does; None while it runs."""
        status = self._request({"wait": process_id})
        return None if status is None else int(status)

    def close(self) -> None:
        self._is_closed = True
        if self._socket and self._process:
            self._socket.close()
            self._process.wait()

    def _request(self, request: dict[str, Any], streams: tuple[int, ...] = ()) -> Any:
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The process that copies are forked from was ended.")
            if self._socket is None:
                self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    self._process = subprocess.Popen(
                        [sys.executable, "-P", __file__, str(theirs.fileno())],
                        env={**_VARIABLES, "OPENBLAS_NUM_THREADS": "1"},  # with no threads, so that it may fork
                        pass_fds=[theirs.fileno()],
                        stdin=subprocess.DEVNULL,
                    )
            socket.send_fds(self._socket, [json.dumps(request).encode()], streams)
            if not (reply := self._socket.recv(_LONGEST)):
                raise RuntimeError("The process that copies are forked from has ended.")
            return json.loads(reply)


class ForkedProgram(subprocess.Popen[Any]):
    """`subprocess.Popen` of `python -m pincite …` or `python -c …`, forked instead of started anew."""

    def __init__(self, warm: WarmProcess, command: list[str], **given: Any) -> None:
        self._warm = warm
        super().__init__(command, **given)

    # `Popen` starts a process and waits for it with these methods, in Python 3.11 and later.
    def _execute_child(self, command: list[str], *given: Any) -> None:
        folder, variables, ends, has_session = given[4], given[5], given[9:15], given[20]
        read_in, _, _, write_out, _, write_error = ends
        streams = (max(read_in, 0), write_out if write_out >= 0 else 1, write_error if write_error >= 0 else 2)
        is_script = tuple(command[: len(_SCRIPT)]) == _SCRIPT
        run = {
            "code": command[len(_SCRIPT)] if is_script else None,
            "arguments": command[len(_HEAD) :],
            "variables": dict(os.environ if variables is None else variables),
            "folder": str(folder or Path.cwd()),
            "session": has_session,
        }
        self.pid = self._warm.fork(run, streams)
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        status = self._warm.find_status(self.pid)
        if status is not None:
            return self.pid, status
        if not wait_flags & os.WNOHANG:
            time.sleep(_PAUSE)
        return 0, 0

    def _internal_poll(self, _deadstate: int | None = None, **_: Any) -> int | None:
        # The garbage collector passes `_deadstate`, perhaps in the middle of a request.
        if self.returncode is None and _deadstate is None:
            status = self._warm.find_status(self.pid)
            if status is not None:
                self._handle_exitstatus(status)  # type: ignore[attr-defined]
        return self.returncode


_WARM = WarmProcess()
atexit.register(_WARM.close)


def start_program(*arguments: str | Path, **given: Any) -> "subprocess.Popen[Any]":
    """Start the program with these arguments, and the others as `subprocess.Popen` has them."""
    return start_command([*_HEAD, *map(str, arguments)], **given)


def start_script(code: str, *arguments: str | Path, **given: Any) -> "subprocess.Popen[Any]":
    """Start code that uses the program, with these arguments, as `python -c` does."""
    return _start([*_SCRIPT, code, *map(str, arguments)], True, given)


def start_command(command: Sequence[str], **given: Any) -> "subprocess.Popen[Any]":
    """Start a command as `subprocess.Popen` does: `python -m pincite …` is forked where that makes no difference."""
    may_fork = tuple(command[: len(_HEAD)]) == _HEAD and not _QUICK & set(command[len(_HEAD) : len(_HEAD) + 1])
    return _start(command, may_fork, given)


def _start(command: Sequence[str], may_fork: bool, given: dict[str, Any]) -> "subprocess.Popen[Any]":
    variables = dict(os.environ) if given.get("env") is None else given["env"]
    is_forked = (
        may_fork
        and sys.platform == "linux"
        and "PYTEST_VERSION" in os.environ  # a benchmark measures the program as a person starts it
        and given.keys() <= _KNOWN
        and _choose_read_by_python(variables) == _choose_read_by_python(_VARIABLES)
    )
    return ForkedProgram(_WARM, [*command], **given) if is_forked else subprocess.Popen(command, **given)


def _choose_read_by_python(variables: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name.startswith(_READ_BY_PYTHON)}


def _serve(requests: socket.socket) -> str | None:
    """Answer requests until the other end is closed. In a copy, return when it is ready to run: the code, if any."""
    statuses: dict[int, int] = {}
    while True:
        data, streams, _, _ = socket.recv_fds(requests, _LONGEST, 3)
        if not data:
            sys.exit()
        request = json.loads(data)
        if "wait" in request:
            if request["wait"] not in statuses:
                ended, status = os.waitpid(request["wait"], os.WNOHANG)
                statuses |= {ended: status} if ended else {}
            requests.send(json.dumps(statuses.get(request["wait"])).encode())
        elif process_id := os.fork():
            for stream in streams:
                os.close(stream)
            statuses.pop(process_id, None)  # of an older process with the same id
            requests.send(json.dumps(process_id).encode())
        else:
            requests.close()
            _become(request, streams)
            return cast("str | None", request["code"])


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """Give this process the streams, the variables, the folder and the arguments of a run."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # New objects, because those of this process have buffers for other files.
    sys.stdin = os.fdopen(0, encoding=sys.stdin.encoding, errors=sys.stdin.errors, closefd=False)
    sys.stdout = _open_output(1, sys.stdout)
    sys.stderr = _open_output(2, sys.stderr)
    os.environ.clear()
    os.environ.update(request["variables"])
    os.chdir(request["folder"])
    if request["session"]:
        os.setsid()
    sys.argv[1:] = request["arguments"]
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _open_output(number: int, like: Any) -> TextIO:
    """Open a descriptor for text as Python opened another one."""
    options = {"encoding": like.encoding, "errors": like.errors, "write_through": like.write_through}
    return io.TextIOWrapper(os.fdopen(number, "wb", closefd=False), line_buffering=number == 2, **options)


def _run() -> None:
    import psycopg
    import uvicorn

    import pincite.__main__
    import pincite.cli.all_commands
    import pincite.server

    del psycopg, uvicorn
    requests = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, which still have processes to stop
    # The messages of the program name it by these.
    sys.argv[0] = str(pincite.__main__.__file__)
    sys.modules["__main__"].__package__ = "pincite"
    gc.freeze()  # the copies share all memory that they do not change
    code = _serve(requests)
    if code is None:
        pincite.cli.main()
    else:
        sys.argv[0] = "-c"
        sys.path.insert(0, "")
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    _run()
