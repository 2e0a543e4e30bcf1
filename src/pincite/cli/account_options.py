"""Options and output that the `accounts` commands share."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.settings import Settings
    from pincite.store.database import Database
    from pincite.store.people import StoredPerson

Person = Annotated[str, typer.Argument(metavar="PERSON", help="A person's name, e-mail or id.")]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from the first line of stdin instead of asking.")
]


@contextmanager
def open_accounts(
    data: Path | None, database: str | None, config: Path | None
) -> "Iterator[tuple[Settings, Database]]":
    """Yield the settings and the open database, and close it at the end."""
    from pincite.store.database import open_database

    settings = options.load_settings(data, database, config)
    opened = open_database(settings)
    try:
        yield settings, opened
    finally:
        opened.close()


def find_person(database: "Database", given: str) -> "StoredPerson":
    """Return the person with a name, an e-mail or an id; raise `NotFound` without one."""
    from pincite.store import people

    with database.reading() as connection:
        return people.get_by_any_name(connection, given)


def ask_password(from_stdin: bool) -> str:
    """Return a new password: typed twice without echo, or the first line of stdin."""
    if from_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
        if not password:
            raise Misuse("There is no password on stdin.", "Send it as the first line.", "password")
        return password
    if not sys.stdin.isatty():
        raise Misuse(
            "There is no terminal to ask for the password.", "Send it by stdin with --password-stdin.", "password"
        )
    from getpass import getpass

    password = getpass("Password: ")
    if getpass("The same again: ") != password:
        raise Misuse("The two passwords differ.", "Run the command again.", "password")
    return password


def print_rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table without lines. Control characters in names are left out."""
    from rich.table import Table
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls

    table = Table(box=None, header_style="dim", pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(strip_controls(cell)) for cell in row))
    options.make_console().print(table)


def print_note(text: str) -> None:
    """Print a line for people on stderr, so that stdout holds only the result."""
    from pincite.cli.growing_text import strip_controls

    options.make_console(stderr=True).print(strip_controls(text))


def format_time(time: float | None) -> str:
    """Return a time in the form of the tables, or a dash."""
    from datetime import datetime

    return "–" if time is None else datetime.fromtimestamp(time).strftime("%Y-%m-%d %H:%M")
