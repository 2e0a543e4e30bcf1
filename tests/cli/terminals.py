"""A real terminal for the tests: the program runs in it, and keys are pressed when it waits for them."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.clock import PATIENCE
from tests.program import environment
from tests.screens import seen

CTRL_C, CTRL_D = "\x03", "\x04"
# Opened by the leader of a session, the terminal becomes its own: keys such as Ctrl-C become signals. A command that a
# script starts in the background ignores Ctrl-C, and so do the commands that it starts.
_LAUNCH = (
    "import os, signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\n"
    "os.close(os.open(os.ttyname(0), os.O_RDWR))\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'pincite', *sys.argv[1:]])"
)


def type_at_terminal(
    arguments: Sequence[str | Path],
    data: Path,
    *typed: tuple[str, str],
    before: Callable[[], None] = lambda: None,
) -> tuple[int, list[str]]:
    """The exit status of the program, and what is to be seen in the end.

    Each pair is what the program writes last before it waits, and the keys that are pressed then. `before` is called
    before keys are pressed.
    """
    terminal, other_side = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, *map(str, arguments)],
        env=environment(data, EMBEDDING__PROVIDER="none") | {"TERM": "xterm", "COLUMNS": "100"},
        stdin=other_side,
        stdout=other_side,
        stderr=other_side,
        start_new_session=True,
    )
    os.close(other_side)
    written, waiting, pressed = "", list(typed), ""
    ends = time.monotonic() + PATIENCE
    while True:
        if time.monotonic() > ends:
            program.kill()
            program.wait(PATIENCE)
            os.close(terminal)
            raise AssertionError(f"The program does not end. It wrote: {written!r}")
        if not select.select([terminal], [], [], 2.0)[0]:
            # The line editor misses a key that comes between its prompt and its wait: a person presses it again.
            if pressed in (CTRL_C, CTRL_D):
                os.write(terminal, pressed.encode())
            continue
        try:
            read = os.read(terminal, 65536)
        except OSError:
            read = b""
        if not read:  # the program has ended
            break
        written += read.decode(errors="replace")
        # The last thing a prompt writes; until then keys are the terminal's, not the line editor's.
        if waiting and written.endswith(waiting[0][0]):
            before()
            pressed = waiting.pop(0)[1]
            os.write(terminal, pressed.encode())
    os.close(terminal)
    return program.wait(PATIENCE), [row for row in seen(written) if row]
