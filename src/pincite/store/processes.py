"""Names for processes that outlive them in rows and files: whose work this was, and whether its maker is gone."""

import os
import socket


def this_process() -> str:
    """The name of the process that asks."""
    return f"{os.getpid()}@{socket.gethostname()}"


def is_gone(name: str) -> bool:
    """Whether a name is of a process of this machine that is no more; of other machines nobody can tell."""
    pid, _, host = name.partition("@")
    if not pid.isdigit() or host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
