"""Read lines from the keyboard with a history, or from a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROMPT = "> "
_REMEMBERED = 1_000  # lines


@contextmanager
def read_lines(remembered: Path) -> Iterator[Iterator[str]]:
    """Yield an iterator over typed lines, with the history in the file `remembered`, or over the lines of a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield iter(sys.stdin)
        return
    try:
        import readline
    except ImportError:  # not available on every system
        yield _prompt_lines()
        return
    try:
        readline.read_history_file(remembered)
    except OSError:
        pass  # there is no history yet
    readline.set_history_length(_REMEMBERED)
    try:
        yield _prompt_lines()
    finally:
        try:
            readline.write_history_file(remembered)
        except OSError:
            pass  # the history is only a convenience


def _prompt_lines() -> Iterator[str]:
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")  # Ctrl-C discards the line
