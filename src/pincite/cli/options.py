"""Options, settings and output helpers that all commands share."""

import io
import json
import logging
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer

from pincite.telemetry.log_format import TextFormatter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from pincite.settings import Settings

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="Folder for the database, documents and models.", envvar="PINCITE_DATA", show_envvar=False
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", help="Address, postgresql://… or sqlite:////folder/name.db; default is a file in the data folder."
    ),
]
Config = Annotated[Path | None, typer.Option("--config", help="Settings file; default is ./pincite.toml.")]
Json = Annotated[bool, typer.Option("--json", help="Print only JSON on stdout; progress goes to stderr.")]
NoServer = Annotated[
    bool,
    typer.Option("--no-server", help="Do the work in this process, even if a server runs on the same data."),
]
InLibrary = Annotated[str | None, typer.Option("--library", "-l", help="Use only the documents of this library.")]

NOTHING_FOUND = 1
_WIDE = 10_000


class _WarningHandler(logging.Handler):
    """Prints warnings on stderr, each one once."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.setFormatter(TextFormatter("Warning: %(message)s"))
        self._said: set[tuple[str, str]] = set()

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        said = record.getMessage().strip(), repr(error)
        if said not in self._said:
            self._said.add(said)
            sys.stderr.write(f"{self.format(record).strip()}\n")


def load_settings(data: Path | None, database: str | None, config: Path | None) -> "Settings":
    """Return the settings of a command, and print warnings on stderr from now on."""
    from pincite.settings import load_settings

    logging.getLogger("pincite").handlers = [_WarningHandler(logging.WARNING)]
    return load_settings(config, data=data, database=database)


def add_projects(settings: "Settings", folders: "Sequence[Path]") -> "Settings":
    """Return the settings with these folders as projects too; refuse a folder that cannot be one."""
    if not folders:
        return settings
    from pincite.projects.project import open_project

    roots = (open_project(folder).root for folder in folders)
    both = dict.fromkeys((*settings.projects.folders, *roots))
    return settings.model_copy(update={"projects": settings.projects.model_copy(update={"folders": tuple(both)})})


def make_console(stderr: bool = False) -> "Console":
    """Return a console that prints text unchanged: no markup, no highlighting, and no wrapping into a pipe."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = _WIDE
    return made


def make_log_console() -> "Console":
    """Return a console whose lines become lines of the log."""
    from rich.console import Console

    from pincite.telemetry.log_format import LogLines

    file = cast("IO[str]", LogLines(logging.getLogger("pincite.worker")))
    return Console(file=file, highlight=False, markup=False, emoji=False, no_color=True, width=_WIDE)


def show_status(doing: str) -> AbstractContextManager[object]:
    """Show a status line until the block ends, on a terminal only."""
    return make_console(stderr=True).status(doing) if sys.stderr.isatty() else nullcontext()


def configure_streams() -> None:
    """Replace characters that a stream cannot encode or decode, so that none of them ends the command."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(value: Any) -> None:
    """Print a JSON value on one line of stdout, always in UTF-8. A lone surrogate becomes U+FFFD."""
    from pincite.text.storable import clean_text

    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.write(clean_text(json.dumps(value, ensure_ascii=False)) + "\n")
    sys.stdout.flush()
