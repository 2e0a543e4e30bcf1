"""Name processes in rows and files, so that later processes can tell whether the writer still runs."""

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path


def get_process_name() -> str:
    """Return the name of this process."""
    return f"{os.getpid()}@{get_machine_name()}"


@cache
def get_machine_name() -> str:
    """Return a name for the space of process ids: the host with its boot, and the container if this is one."""
    # Containers may share a host name, and the process ids of each begin at 1.
    boot = namespace = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    return ".".join(part for part in (socket.gethostname(), boot, namespace) if part)


def is_gone(name: str) -> bool:
    """Return whether a name belongs to a dead process of this machine; False for other machines."""
    pid, _, host = name.partition("@")
    if not pid.isdigit() or host != get_machine_name():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
