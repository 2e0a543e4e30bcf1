"""A server that a command starts for one folder. It ends with the command, however the command ends."""

import secrets
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from pincite.errors import PinciteError

_GRACE = 12.0  # seconds for the server to end by itself; it stops running answers first
_KEPT = 20  # of the last lines that the server writes on stderr
_FIELDS = 4  # words of the line that names the address: "Pincite is at http://127.0.0.1:8000"


class ChildServer:
    """The process of `pincite serve` for one folder, on a free port of the loopback address.

    The server ends when its stdin is closed. The system closes it with this process, so that even a killed command
    leaves no server behind. It runs in a session of its own, so that Ctrl-C reaches only the command.
    """

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        serve = (sys.executable, "-m", "pincite", "serve", "--host", "127.0.0.1", "--port", "0")
        self._command = (*serve, "--project", str(folder), "--until-stdin-closes", *options)
        self.secret = secrets.token_urlsafe(32)  # with which this command identifies itself, where that is needed
        self._process: subprocess.Popen[str] | None = None
        self._said: deque[str] = deque(maxlen=_KEPT)  # the last lines of the server on stderr
        self._reading: threading.Thread | None = None
        self._lock = threading.Lock()
        self._address = ""
        self._is_over = False

    @property
    def pid(self) -> int:
        """The process id of the running server; 0 if there is none."""
        return self._process.pid if self._process else 0

    def start(self) -> str:
        """Return the address of the server; start it first if it does not run."""
        with self._lock:
            if self._is_over:
                raise PinciteError("The server was stopped.")
            if self._process is None or self._process.poll() is not None:
                self._release()
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,
                )
                assert self._process.stdin
                assert self._process.stdout
                assert self._process.stderr
                with suppress(OSError):  # it ended at once; its last words say why
                    self._process.stdin.write(f"{self.secret}\n")
                    self._process.stdin.flush()
                self._reading = threading.Thread(
                    target=self._said.extend, args=(self._process.stderr,), name="server stderr", daemon=True
                )
                self._reading.start()
                self._address = _read_address(self._process.stdout)
                if not self._address:
                    raise self._explain_end()
            return self._address

    def stop(self) -> None:
        """End the server and wait for its end."""
        self._is_over = True  # a start that waits for the address is ended too
        process = self._process
        if process and process.poll() is None:
            assert process.stdin
            with suppress(OSError):
                process.stdin.close()
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
            except BaseException:  # a further Ctrl-C does not leave the server behind
                process.kill()
                raise
            finally:
                process.wait()
        with self._lock:
            self._release()

    def _release(self) -> None:
        """Close the streams of the process that has ended."""
        if self._reading:
            self._reading.join()
        if self._process:
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    with suppress(OSError):
                        stream.close()
        self._process = self._reading = None

    def _explain_end(self) -> PinciteError:
        """Return the error of a server that ended before it named its address."""
        assert self._process
        assert self._reading
        self._process.wait()
        self._reading.join()
        words = "".join(self._said).strip()
        message, _, hint = words.rpartition("Error: ")[2].partition("\n")
        return PinciteError(f"The server for this folder did not start. {message}".strip(), hint)


def _read_address(stdout: IO[str]) -> str:
    words = stdout.readline().split()
    return words[_FIELDS - 1] if len(words) >= _FIELDS else ""
