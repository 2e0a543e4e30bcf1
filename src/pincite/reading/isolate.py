"""Reading in a child process, so that a hang, a crash or a bomb costs a document or a page and never the program.

The child is kept for many documents and replaced when one of them brings it down. Frames on its pipe are a letter,
a length and a payload: P a page is begun, D a document, I a picture of a page, E an error.
"""

import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pincite import errors
from pincite.errors import Unreadable
from pincite.reading.source import Source
from pincite.reading.wire import decode, encode
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_DOCUMENTS_PER_CHILD = 100
_PAGES_TO_SKIP = 5
_PAGE_ALLOWANCE = 10.0  # seconds that each page of a document adds to its time: a scan takes a few
_FRAME = struct.Struct("<cQ")
_LATE = "took too long"
# What a child may tell, beside `Unreadable` itself.
_KINDS: tuple[type[Unreadable], ...] = (
    *(errors.Encrypted, errors.Locked, errors.Unsupported, errors.TooLarge),
    *(errors.Empty, errors.TimedOut, errors.MemoryExceeded),
)
_TICK = 0.5  # seconds between two calls of `progress`, at most: whoever wants to stop raises there


@dataclass(frozen=True, slots=True)
class _Stopped:
    """Why a child gave no document: it was silent too long, it died, and on which page (0: none was begun)."""

    reason: str
    page: int
    pages: int = 0


class Isolated:
    """Reads documents one after another in a child process under limits; use it as a context manager."""

    def __init__(self, limits: "ReadingSettings") -> None:
        self._limits = limits
        self._child: _Child | None = None

    def __enter__(self) -> "Isolated":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._child:
            self._child.stop()
            self._child = None

    def read(self, source: Source) -> Document:
        """The document, without the pages that brought a child down; `Unreadable` when that is not enough."""
        check_size(source.path, self._limits)
        deadline = time.monotonic() + self._limits.seconds
        skip: set[int] = set()
        while True:
            outcome = self._try(replace(source, skip=source.skip | skip), deadline)
            if isinstance(outcome, Document):
                return outcome
            self.close()
            # A page that was to be skipped and stopped it all the same is not the culprit, or cannot be left out.
            hopeless = not outcome.page or outcome.page in skip or len(skip) == _PAGES_TO_SKIP
            if hopeless or time.monotonic() > deadline + _PAGE_ALLOWANCE * outcome.pages:
                where = f" at page {outcome.page}" if outcome.page else ""
                kind = errors.TimedOut if outcome.reason == _LATE else Unreadable
                raise kind(
                    f"Reading {outcome.reason}{where}.",
                    "Open the file and save it again, or raise reading.seconds and reading.memory_mb in the settings.",
                )
            skip.add(outcome.page)

    def picture(self, source: Source, page: int, dpi: float) -> bytes:
        """A page as PNG (see `reading.picture`); `Unreadable` when drawing it brings the child down."""
        check_size(source.path, self._limits)
        outcome = self._fresh_child().ask(source, time.monotonic() + self._limits.page_seconds, (page, dpi))
        if isinstance(outcome, bytes):
            return outcome
        self.close()
        told = outcome.reason if isinstance(outcome, _Stopped) else "gave nonsense"
        raise Unreadable(f"Drawing page {page} {told}.", "Open the file in its own program and save it again.")

    def _try(self, source: Source, deadline: float) -> Document | _Stopped:
        outcome = self._fresh_child().ask(source, deadline)
        return _Stopped("gave nonsense", 0) if isinstance(outcome, bytes) else outcome

    def _fresh_child(self) -> "_Child":
        if self._child is None or self._child.served >= _DOCUMENTS_PER_CHILD or not self._child.alive():
            self.close()
            self._child = _Child(self._limits)
        return self._child


class _Child:
    def __init__(self, limits: "ReadingSettings") -> None:
        self._limits = limits
        self.served = 0
        environment = {
            **os.environ,
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_THREAD_LIMIT": "1",
            "PYTHONIOENCODING": "utf-8",
        }
        # -X faulthandler is off on purpose: a crash is expected here and is told in words.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pincite.reading.isolate", str(limits.memory_mb), str(limits.seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._frames: queue.Queue[tuple[bytes, bytes]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        # Its whole group: it may have a tesseract of its own running.
        if hasattr(os, "killpg"):
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass

    def ask(
        self, source: Source, deadline: float, picture: tuple[int, float] | None = None
    ) -> Document | bytes | _Stopped:
        """The document, or a picture of one page at so many dots per inch, or why there is none."""
        self.served += 1
        request = {
            "path": str(source.path),
            "name": source.name,
            "password": source.password,
            "skip": sorted(source.skip),
            "ocr": source.ocr,
            "picture": picture,
        }
        page = pages = 0
        try:
            assert self._process.stdin
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return _Stopped("stopped before it began", 0)
        limit = deadline
        while True:
            try:
                letter, payload = self._frames.get(timeout=max(min(limit - time.monotonic(), _TICK), 0.0))
            except queue.Empty:
                if time.monotonic() >= limit:
                    return _Stopped(_LATE, page, pages)
                source.progress(page, pages)
                continue
            if letter == b"P":
                page, pages = json.loads(payload)
                whole = deadline + _PAGE_ALLOWANCE * pages
                limit = min(whole, time.monotonic() + self._limits.page_seconds)
                source.progress(page, pages)
            elif letter == b"D":
                return _decoded(payload)
            elif letter == b"I":
                return payload
            elif letter == b"E":
                raise _error(json.loads(payload))
            else:
                return _Stopped("crashed", page, pages)

    def _listen(self) -> None:
        """Frames into the queue; when the pipe ends, one that says so."""
        stream = self._process.stdout
        assert stream
        try:
            while len(head := stream.read(_FRAME.size)) == _FRAME.size:
                letter, length = _FRAME.unpack(head)
                payload = stream.read(length)
                if len(payload) < length:
                    break
                self._frames.put((letter, payload))
        except (OSError, ValueError, MemoryError):
            pass
        self._frames.put((b"X", b""))


def check_size(path: Path, limits: "ReadingSettings") -> os.stat_result:
    """What the system says of a file that may be read; `Unreadable` when it is not there, `TooLarge` over the limit."""
    try:
        seen = path.stat()
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise Unreadable(f"The file cannot be opened: {told}.", "Check that it is there and may be read.") from None
    if seen.st_size > limits.max_file_mb * 1_000_000:
        raise errors.TooLarge(
            f"The file has {seen.st_size / 1e6:,.1f} MB; the limit is {limits.max_file_mb} MB.",
            "Split it, or raise reading.max_file_mb in the settings.",
        )
    return seen


def _decoded(payload: bytes) -> Document:
    try:
        return decode(payload)
    except (ValueError, KeyError, TypeError, struct.error):
        raise Unreadable("Reading gave nonsense.", "Open the file and save it again, then add that file.") from None


def _error(told: dict[str, Any]) -> errors.PinciteError:
    kinds = {kind.code: kind for kind in _KINDS}
    return kinds.get(told["code"], Unreadable)(told["message"], told["hint"])


def _serve(requests: IO[bytes], send: Callable[[bytes, bytes], None], seconds: float) -> None:
    """The child's life: a request a line, a document, a picture or an error for each."""
    from pincite.reading import read
    from pincite.reading.picture import picture

    def watch() -> None:
        # Should the parent be gone, a hang ends itself.
        if hasattr(signal, "alarm"):
            signal.alarm(int(seconds) + 60)

    def progress(page: int, pages: int) -> None:
        watch()
        send(b"P", json.dumps([page, pages]).encode())

    for line in requests:
        watch()
        request = json.loads(line)
        source = Source(
            Path(request["path"]),
            request["name"],
            request["password"],
            frozenset(request["skip"]),
            request["ocr"],
            progress,
        )
        try:
            if request["picture"]:
                send(b"I", picture(source, *request["picture"]))
            else:
                send(b"D", encode(read(source)))
        except errors.PinciteError as error:
            told = {"code": error.code, "message": error.message, "hint": error.hint}
            send(b"E", json.dumps(told).encode())


def main() -> None:
    memory_mb, seconds = int(sys.argv[1]), float(sys.argv[2])
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 1_000_000, memory_mb * 1_000_000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # Windows and some containers have no such limit; the deadline still holds.
    pipe = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not stand in the pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def send(letter: bytes, payload: bytes) -> None:
        pipe.write(_FRAME.pack(letter, len(payload)))
        pipe.write(payload)
        pipe.flush()

    try:
        _serve(sys.stdin.buffer, send, seconds)
    except (BrokenPipeError, KeyboardInterrupt):
        pass


if __name__ == "__main__":
    main()
