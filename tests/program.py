"""The program as a process of its own, forked from one that has imported it where that makes no difference."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.clock import PATIENCE
from tests.warm_process import start_program


def start(*arguments: str | Path, data: Path, **settings: str) -> "subprocess.Popen[str]":
    """The program begun, with settings given as variables: EMBEDDING__PROVIDER="none"."""
    return start_program(
        *arguments,
        env=environment(data, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
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
    process = start("serve", "--port", str(port), data=data, **settings)
    try:
        assert process.stdout
        said = process.stdout.readline()
        assert "http://" in said, process.communicate(timeout=PATIENCE)
        yield said.split()[3]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
