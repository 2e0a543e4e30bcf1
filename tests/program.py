"""The program as a process of its own, forked from one that has imported it where that makes no difference."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.clock import PATIENCE
from tests.warm_process import start_program


def start(*arguments: str | Path, data: Path, **settings: str) -> "subprocess.Popen[str]":
    """The program begun, with settings given as variables: EMBEDDING__PROVIDER="none"."""
    return _start(arguments, environment(data, **settings), subprocess.PIPE)


def start_server(data: Path, log: IO[Any], port: int = 0, **settings: str) -> "subprocess.Popen[str]":
    """A server begun, with its log in a file: it would wait for ever once a pipe that nobody reads is full."""
    return _start(("serve", "--port", str(port)), environment(data, **settings), log)


def _start(arguments: Sequence[str | Path], variables: dict[str, str], log: int | IO[Any]) -> "subprocess.Popen[str]":
    return start_program(
        *arguments,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        encoding="utf-8",
    )


def run(*arguments: str | Path, data: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """The program run to its end."""
    return finish(start(*arguments, data=data, **settings))


def finish(process: "subprocess.Popen[str]", given: str | None = None) -> "subprocess.CompletedProcess[str]":
    """The result of a process that gets this on its stdin; one that does not end is killed."""
    try:
        out, said = process.communicate(given, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, said)


def environment(data: Path, **settings: str) -> dict[str, str]:
    chosen = {f"PINCITE_{name}": value for name, value in settings.items()}
    # Wide, so that no message is cut in two, and silent about colours.
    return {**os.environ, "PINCITE_DATA": str(data), "COLUMNS": "500", "NO_COLOR": "1", **chosen}


@contextmanager
def serving(data: Path, port: int = 0, **settings: str) -> Iterator[str]:
    """The server's address, until the block ends."""
    with tempfile.TemporaryFile() as log:
        process = start_server(data, log, port, **settings)
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert "http://" in said, os.pread(log.fileno(), 1 << 16, 0)
            yield said.split()[3]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
