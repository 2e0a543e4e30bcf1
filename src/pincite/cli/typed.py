"""What a person types, line by line, or what comes through a pipe instead."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROMPT = "> "
_REMEMBERED = 1_000  # lines


@contextmanager
def lines(remembered: Path) -> Iterator[Iterator[str]]:
    """What is typed, line by line, with a memory of what was typed before; or the lines of a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield iter(sys.stdin)
        return
    try:
        import readline
    except ImportError:  # not everywhere
        yield _typed()
        return
    try:
        readline.read_history_file(remembered)
    except OSError:
        pass  # there is none yet
    readline.set_history_length(_REMEMBERED)
    try:
        yield _typed()
    finally:
        try:
            readline.write_history_file(remembered)
        except OSError:
            pass  # it was only a help


def _typed() -> Iterator[str]:
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")  # a line that was not meant
