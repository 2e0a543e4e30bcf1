"""The `accounts remove` command: remove a person with everything that is theirs."""

import sys
import time
from typing import Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import Person, find_person, format_time, print_note
from pincite.errors import Misuse


def register(app: typer.Typer) -> None:
    """Add the command to the others."""
    app.command()(remove)


def remove(
    person: Person,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove a person with everything that is theirs.

    These are documents, conversations and settings. This cannot be undone.

    `pincite accounts disable` keeps a person out and keeps what is theirs.

    \b
    pincite accounts remove bob
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.library import open_library
    from pincite.own_data.person_deletion import delete_person
    from pincite.store.owned_rows import count_owned_rows

    library = open_library(options.load_settings(data, database, config))
    try:
        found = find_person(library.database, person)
        with library.database.reading() as connection:
            rows = count_owned_rows(connection, found.id)
        counts = f"{rows.get('documents', 0)} documents and {rows.get('conversations', 0)} conversations"
        if not yes:
            _confirm(f"Remove {found.name} with {counts}? This cannot be undone.")
        deletion = delete_person(library, AT_TERMINAL, found.id, time.time())
    finally:
        library.close()
    print_note(f"Removed {found.name} with {deletion.documents} documents and {deletion.conversations} conversations.")
    if deletion.backups:
        print_note("Backups that were made before still contain what was there then; nothing changes them:")
        for backup in deletion.backups:
            print_note(f"  {backup.name}, {format_time(backup.time)}")


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise Misuse("There is no terminal to ask.", "Confirm it with --yes.", "confirmation")
    if not typer.confirm(question, err=True):
        raise Misuse("Nothing was removed.", "", "confirmation")
