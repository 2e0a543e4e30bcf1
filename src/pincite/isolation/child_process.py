"""Run tasks in a child process. A file that makes it hang, crash or use all memory costs a document or a page.

The child is kept for many tasks, and replaced when one of them stops it. Its replies are limited in size and checked: a
child that a hostile file controls can neither fill the memory of its parent nor store content that is inconsistent.
"""

import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pincite import errors
from pincite.errors import Unreadable
from pincite.isolation.document_bytes import decode_document
from pincite.isolation.document_parts import ContentsCheck, Part, Recipe, decode_part
from pincite.isolation.frames import DONE, ENDED, ERROR, PROGRESS, RESULT, read_frames
from pincite.isolation.inputs import InputFile, is_copied, is_needed
from pincite.isolation.sandbox import SandboxRules, clean_environment, write_rules
from pincite.isolation.tasks import Progress, Request, write_source
from pincite.isolation.time_allowance import TimeAllowance
from pincite.reading.limits import read_limits
from pincite.reading.source import Source
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_TASKS_PER_CHILD = 100
_PAGES_TO_SKIP = 5
_DECODE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error)
# The errors that a child may report, beside `Unreadable` itself.
_KINDS: tuple[type[Unreadable], ...] = (
    *(errors.Encrypted, errors.Locked, errors.Unsupported, errors.TooLarge),
    *(errors.Empty, errors.TimedOut, errors.MemoryExceeded, errors.ReadingFault),
)
_TICK = 0.25  # seconds between two calls of `progress`, at most: a caller that wants to stop raises there
_FRAMES_AHEAD = 4  # frames that are read before the parent takes them: then the child waits


_StopCode = Literal["not_started", "late", "crashed", "too_much", "invalid"]
_STOP_WORDS: dict[_StopCode, str] = {
    "not_started": "stopped before it began",
    "late": "took too long",
    "crashed": "crashed",
    "too_much": "gave more than the limit",
    "invalid": "gave an invalid reply",
}


@dataclass(frozen=True, slots=True)
class _StopReason:
    """The reason why a child gave no result, and the page that it was reading; 0 if it had begun none."""

    code: _StopCode
    page: int
    pages: int = 0

    @property
    def words(self) -> str:
        return _STOP_WORDS[self.code]


class _Halted(Exception):
    """A child stopped in the middle of a task."""

    def __init__(self, stopped: _StopReason) -> None:
        super().__init__(stopped.words)
        self.stopped = stopped


class IsolatedProcess:
    """Runs tasks one after another in a child process under limits; use it as a context manager.

    With `is_background` the child gives way to other programs: nobody waits for it.
    """

    def __init__(
        self, limits: "ReadingSettings", tasks_per_child: int = _TASKS_PER_CHILD, is_background: bool = False
    ) -> None:
        self._limits = limits
        self._tasks_per_child = tasks_per_child
        self._is_background = is_background
        self._child: _Child | None = None

    def __enter__(self) -> "IsolatedProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child process. The next task starts another one."""
        if self._child:
            self._child.stop()
            self._child = None

    def read(self, source: Source) -> Document:
        """Return a document without the pages that stopped a child; raise `Unreadable` when these are too many."""
        data = b"".join(self._parts("read", source, {}, self._limits.memory_mb * 1_000_000))
        try:
            return decode_document(data)
        except _DECODE_ERRORS:
            raise _make_reply_error() from None

    def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
        """Yield everything that is stored of a document, part by part; raise `Unreadable` at any part."""
        # Text, terms and places of a document are a few times as large as the memory of the child.
        most = 4 * self._limits.memory_mb * 1_000_000
        check = ContentsCheck()
        try:
            for data in self._parts("contents", source, {"recipe": asdict(recipe)}, most):
                part = decode_part(data)
                check.check(part)
                yield part
            check.finish()
        except _DECODE_ERRORS:
            self.close()
            raise _make_reply_error() from None

    def picture(self, source: Source, page: int, dpi: float) -> bytes:
        """Return a page as PNG (see `reading.picture`); raise `Unreadable` when drawing it stops the child."""
        check_size(source.path, self._limits)
        request = {"task": "draw", **write_source(source), "page": page, "dpi": dpi}
        allowance = TimeAllowance(self._limits, self._limits.page_seconds)
        try:
            return b"".join(self._run(request, allowance, source.progress, self._limits.memory_mb * 1_000_000))
        except _Halted as halted:
            hint = "Open the file in its own program and save it again."
            raise Unreadable(f"Drawing page {page} {halted.stopped.words}.", hint) from None

    def draw(self, task: str, source: Source, seconds: float, most: int, **given: object) -> list[bytes]:
        """Return the parts of a drawing of a file, at most `most` bytes; raise `Unreadable` when it stops the child."""
        check_size(source.path, self._limits)
        request = {"task": task, **write_source(replace(source, limits=read_limits(self._limits))), **given}
        try:
            return list(self._run(request, TimeAllowance(self._limits, seconds), source.progress, most))
        except _Halted as halted:
            raise _make_failure(halted.stopped) from None

    def run(self, task: str, seconds: float, path: Path, **given: object) -> bytes:
        """Return the result of a task on a file; raise `Unreadable` if it stops the child, `TimedOut` if it is late."""
        request = {"task": task, "path": str(path), **given}
        allowance = TimeAllowance(self._limits, seconds)
        try:
            return b"".join(self._run(request, allowance, lambda *_: None, self._limits.memory_mb * 1_000_000))
        except _Halted as halted:
            raise _make_failure(halted.stopped) from None

    def _parts(self, task: str, source: Source, more: dict[str, Any], most: int) -> Iterator[bytes]:
        """Yield the result of a task on a document. A page that stops the child is left out at the next try."""
        check_size(source.path, self._limits)
        source = replace(source, limits=read_limits(self._limits))
        allowance = TimeAllowance(self._limits)
        skip: set[int] = set()
        while True:
            request = {"task": task, **write_source(replace(source, skip=source.skip | skip)), **more}
            came = False
            try:
                for part in self._run(request, allowance, source.progress, most):
                    came = True
                    yield part
                return
            except _Halted as halted:
                stopped = halted.stopped
            # A page that was skipped and is named again is not the cause, or cannot be left out.
            hopeless = came or not stopped.page or stopped.page in skip or len(skip) == _PAGES_TO_SKIP
            if hopeless or allowance.is_over():
                raise _make_failure(stopped)
            allowance.end_pages()
            skip.add(stopped.page)

    def _run(self, request: Request, allowance: TimeAllowance, progress: Progress, most: int) -> Iterator[bytes]:
        """Yield the parts of a result. A child that did not finish its task is not used again."""
        child = self._fresh_child(Path(request["path"]))
        is_whole = False
        try:
            yield from child.run(request, allowance, progress, most)
            is_whole = True
        except errors.PinciteError:
            is_whole = not child.is_at_work
            raise
        finally:
            if not is_whole or child.is_swollen:
                child.stop()  # not `close`: a generator that nobody finished may end while another child works

    def _fresh_child(self, path: Path) -> "_Child":
        child = self._child
        if child is None or child.served >= self._tasks_per_child or not child.is_free_for(path):
            self.close()
            child = self._child = _Child(self._limits, None if is_copied(path) else path, self._is_background)
        return child


def _end_process(process: "subprocess.Popen[bytes]") -> None:
    """End a child with its whole process group, because it may have started tesseract, and close its pipes."""
    if hasattr(os, "killpg") and process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            try:
                stream.close()
            except (BrokenPipeError, ValueError):
                pass


class _Child:
    def __init__(self, limits: "ReadingSettings", file: Path | None, is_background: bool) -> None:
        self._file = file
        self._input = InputFile()
        self.served = 0
        self.is_at_work = False
        self.is_swollen = False
        rules = SandboxRules(limits.memory_mb, file, may_start_programs=bool(limits.ocr), is_background=is_background)
        # Without -X faulthandler: a crash is expected here, and is reported in words. With -P: modules in the folder in
        # which the program was started are not imported.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pincite.isolation.child", str(limits.longest_seconds), write_rules(rules)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=clean_environment(os.environ),
            pass_fds=self._input.inherited,
            start_new_session=True,
        )
        # A child that nobody closed is ended when its object is garbage-collected, and its pipes are closed.
        weakref.finalize(self, _end_process, self._process)
        self._stopped = threading.Event()
        self._frames: queue.Queue[tuple[bytes, bytes]] = queue.Queue(_FRAMES_AHEAD)
        threading.Thread(target=self._listen, daemon=True).start()

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def is_free_for(self, path: Path) -> bool:
        """Whether the child runs, is at no task, and may read a file: one that is copied for it, or its own."""
        may_read = not is_needed() or is_copied(path) or path == self._file
        return may_read and not self.is_at_work and self.is_alive()

    def stop(self) -> None:
        """End the process, also during a task. A second call does nothing."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        _end_process(self._process)
        self._input.close()

    def run(self, request: Request, allowance: TimeAllowance, progress: Progress, most: int) -> Iterator[bytes]:
        """Yield the parts of a task's result, at most `most` bytes; raise the error that the task raised."""
        self.served += 1
        self.is_at_work = True
        page = pages = size = 0
        request = {**request, "path": str(self._input.load(Path(request["path"])))}
        try:
            assert self._process.stdin
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise _Halted(_StopReason("not_started", 0)) from None
        while True:
            letter, payload = self._next(allowance, progress, page, pages)
            try:
                if letter == PROGRESS:
                    page, pages = map(int, json.loads(payload))
                    allowance.begin_page()
                    progress(page, pages)
                elif letter == RESULT:
                    allowance.end_pages()
                    size += len(payload)
                    if size > most:
                        raise _Halted(_StopReason("too_much", page, pages))
                    yield payload
                elif letter == DONE:
                    self.is_swollen = payload == b"1"
                    self.is_at_work = False
                    return
                elif letter == ERROR:
                    told = _decode_error(json.loads(payload))
                    self.is_at_work = False
                    raise told
                else:
                    raise _Halted(_StopReason("crashed", page, pages))
            except (ValueError, TypeError, KeyError, RecursionError):
                raise _Halted(_StopReason("invalid", page, pages)) from None

    def _next(self, allowance: TimeAllowance, progress: Progress, page: int, pages: int) -> tuple[bytes, bytes]:
        """Return the next frame; call `progress` at every tick until it arrives."""
        while (left := allowance.left()) > 0:
            try:
                return allowance.wait(partial(self._frames.get, timeout=min(left, _TICK)))
            except queue.Empty:
                progress(page, pages)
        raise _Halted(_StopReason("late", page, pages))

    def _listen(self) -> None:
        """Put frames into the queue; when the pipe ends, put the frame `ENDED`."""
        stream = self._process.stdout
        assert stream
        try:
            for frame in read_frames(stream):
                self._put(frame)
        except (OSError, ValueError, MemoryError):
            pass
        self._put((ENDED, b""))

    def _put(self, frame: tuple[bytes, bytes]) -> None:
        while not self._stopped.is_set():
            try:
                self._frames.put(frame, timeout=1.0)
                return
            except queue.Full:
                pass


def check_size(path: Path, limits: "ReadingSettings") -> os.stat_result:
    """Return the status of a file; raise `Unreadable` when it does not exist, `TooLarge` when it is over the limit."""
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


def _make_failure(stopped: _StopReason) -> Unreadable:
    where = f" at page {stopped.page}" if stopped.page else ""
    kind = errors.TimedOut if stopped.code == "late" else Unreadable
    return kind(
        f"Reading {stopped.words}{where}.",
        "Open the file and save it again, or raise reading.seconds and reading.memory_mb in the settings.",
    )


def _make_reply_error() -> Unreadable:
    return Unreadable(
        "The reader process returned an invalid reply.", "Open the file and save it again, then add that file."
    )


def _decode_error(told: dict[str, Any]) -> errors.PinciteError:
    kinds = {kind.code: kind for kind in _KINDS}
    return kinds.get(told["code"], Unreadable)(str(told["message"]), str(told["hint"]), str(told["reason"]))
