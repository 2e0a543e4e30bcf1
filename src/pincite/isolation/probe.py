"""Try to break out of the isolated process from inside, to find out which limits the system enforces."""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Any

FAMILIES = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK")


def try_all(request: Mapping[str, Any]) -> dict[str, bool]:
    """Return whether each attempt succeeded, by its name."""
    attempts: dict[str, Callable[[], object]] = {
        "read_file": lambda: open(request["outside"], "rb").close(),
        "write_file": lambda: open(request["outside"], "ab").close(),
        "list_folder": lambda: os.listdir(os.path.dirname(request["outside"])),
        "change_mode": lambda: os.chmod(request["outside"], 0o600),
        "read_parent": lambda: open(f"/proc/{os.getppid()}/environ", "rb").close(),
        "signal_parent": lambda: os.kill(os.getppid(), 0),
        "see_variable": lambda: os.environ[request["variable"]],
        "allocate": lambda: bytearray(int(request["memory_mb"]) * 1_000_000),
        "start_program": _start_program,
        **{family: _open_socket(family) for family in FAMILIES if hasattr(socket, family)},
    }
    return {name: _is_successful(attempt) for name, attempt in attempts.items()}


def _is_successful(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, KeyError, MemoryError):
        return False
    return True


def _open_socket(family: str) -> Callable[[], object]:
    return lambda: socket.socket(getattr(socket, family), socket.SOCK_DGRAM).close()


def _start_program() -> None:
    import subprocess

    subprocess.run([sys.executable, "-c", ""], stdin=subprocess.PIPE, capture_output=True, timeout=20)
