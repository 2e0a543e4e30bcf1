"""What every command shares: its options, its settings, and how it answers."""

import io
import json
import logging
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.settings import Settings

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="Folder for the database, documents and models.", envvar="PINCITE_DATA", show_envvar=False
    ),
]
Database = Annotated[
    str | None, typer.Option("--database", help="SQLite address; default is one file in the data folder.")
]
Config = Annotated[Path | None, typer.Option("--config", help="Settings file; default is ./pincite.toml.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON alone on stdout; progress goes to stderr.")]
NoServer = Annotated[
    bool,
    typer.Option("--no-server", help="Do the work here, also where a server runs on the same data."),
]
InLibrary = Annotated[str | None, typer.Option("--library", "-l", help="Name of a library: a set of documents.")]

NOTHING_FOUND = 1
_WIDE = 10_000


class _Warnings(logging.Handler):
    """Shows what is warned of on stderr, each thing once."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.setFormatter(logging.Formatter("Warning: %(message)s"))
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record).strip()
        if line not in self._said:
            self._said.add(line)
            sys.stderr.write(f"{line}\n")


def settings(data: Path | None, database: str | None, config: Path | None) -> "Settings":
    from pincite.settings import load

    logging.getLogger("pincite").handlers = [_Warnings(logging.WARNING)]
    return load(config, data=data, database=database)


def console(stderr: bool = False) -> "Console":
    """Where to say things to a person: what they named stands as they wrote it, and a pipe gets whole lines."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = _WIDE
    return made


def busy(doing: str) -> AbstractContextManager[object]:
    """Say on a terminal what is under way, until the block ends."""
    return console(stderr=True).status(doing) if sys.stderr.isatty() else nullcontext()


def open_streams() -> None:
    """Let no character end a command: what a terminal cannot show, or a pipe does not spell, becomes a mark."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(value: Any) -> None:
    """One JSON value on a line of stdout, in UTF-8 whatever the terminal has; half a character is U+FFFD."""
    from pincite.reading.finish import clean

    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.write(clean(json.dumps(value, ensure_ascii=False)) + "\n")
    sys.stdout.flush()
