"""Names for processes that outlive them in rows and files: whose work this was, and whether its maker is gone."""

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path


def this_process() -> str:
    """The name of the process that asks."""
    return f"{os.getpid()}@{this_machine()}"


@cache
def this_machine() -> str:
    """Where process ids mean what they mean here: the host since it was started, and the container if this is one."""
    # Containers may share a host name, and their ids all begin at 1.
    boot = namespace = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    return ".".join(part for part in (socket.gethostname(), boot, namespace) if part)


def is_gone(name: str) -> bool:
    """Whether a name is of a process of this machine that is no more; of other machines nobody can tell."""
    pid, _, host = name.partition("@")
    if not pid.isdigit() or host != this_machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
