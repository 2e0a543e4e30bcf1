"""Lower the priority of a process that nobody waits for, so that the server answers while documents are read."""

import os
import time
from contextlib import suppress
from pathlib import Path

# Half the share of a program of normal priority. With a third (5), a document took 2.4 times as long on a machine with
# ten programs for each processor, and its deadline counts seconds of the clock.
BACKGROUND_NICENESS = 3
_SESSION = Path("/proc/self/autogroup")
_TRIES = 3
_PAUSE = 0.1  # seconds in which Linux takes one change of a session's priority from users other than root


def lower_priority(niceness: int = BACKGROUND_NICENESS) -> None:
    """Let this process and the programs that it starts give way to others.

    A process with a lower priority is not changed. Linux derives the priority of reads from disks from the niceness.
    """
    with suppress(AttributeError, OSError):  # Windows has none
        os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), niceness))
    # Linux may share the processor among sessions first and look at niceness within one alone, and the isolated
    # process has a session of its own.
    for _ in range(_TRIES):
        try:
            _SESSION.write_text(str(niceness))
            return
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return
