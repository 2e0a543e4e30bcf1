"""Read lines from the keyboard with a history, or from a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROMPT = "> "
_REMEMBERED = 1_000  # lines


class Interrupts:
    """Whether the last thing that the user did was to press Ctrl-C. A further Ctrl-C at the prompt then leaves."""

    def __init__(self, note: str) -> None:
        self.note = note  # the line to print when a further Ctrl-C leaves
        self.is_last = False


@contextmanager
def read_lines(remembered: Path, interrupts: Interrupts | None = None) -> Iterator[Iterator[str]]:
    """Yield an iterator over typed lines, with the history in the file `remembered`, or over the lines of a pipe.

    Ctrl-C discards a typed line. With `interrupts`, a second Ctrl-C in a row raises `KeyboardInterrupt`.
    """
    if not is_typing():
        yield iter(sys.stdin)
        return
    try:
        import readline
    except ImportError:  # not available on every system
        yield _prompt_lines(interrupts)
        return
    try:
        readline.read_history_file(remembered)
    except OSError:
        pass  # there is no history yet
    readline.set_history_length(_REMEMBERED)
    try:
        yield _prompt_lines(interrupts)
    finally:
        try:
            readline.write_history_file(remembered)
        except OSError:
            pass  # the history is only a convenience


def is_typing() -> bool:
    """Return whether a person types at a terminal and can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_user(prompt: str) -> str:
    """Return a line that the user types at a prompt. It is not added to the history."""
    try:
        import readline
    except ImportError:  # not available on every system
        return input(prompt)
    readline.set_auto_history(False)
    try:
        return input(prompt)
    finally:
        readline.set_auto_history(True)


def _prompt_lines(interrupts: Interrupts | None) -> Iterator[str]:
    while True:
        try:
            line = input(PROMPT)
        except EOFError:
            sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")  # Ctrl-C discards the line
            if interrupts and interrupts.is_last:
                raise
            if interrupts:
                interrupts.is_last = True
                sys.stdout.write(f"{interrupts.note}\n")
        else:
            if interrupts:
                interrupts.is_last = False
            yield line
