"""The real program as a process of its own, as a person starts it."""

import os
import subprocess
import sys
from pathlib import Path


def start(*arguments: str | Path, data: Path, **settings: str) -> "subprocess.Popen[str]":
    """The program begun, with settings given as variables: EMBEDDING__PROVIDER="none"."""
    return subprocess.Popen(
        [sys.executable, "-m", "pincite", *map(str, arguments)],
        env=environment(data, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run(*arguments: str | Path, data: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """The program run to its end."""
    process = start(*arguments, data=data, **settings)
    out, said = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, said)


def environment(data: Path, **settings: str) -> dict[str, str]:
    chosen = {f"PINCITE_{name}": value for name, value in settings.items()}
    # Wide, so that no message is cut in two, and silent about colours.
    return {**os.environ, "PINCITE_DATA": str(data), "COLUMNS": "500", "NO_COLOR": "1", **chosen}
