"""The `accounts export` command: everything of a person as one archive."""

import time
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import Person, find_person, print_note
from pincite.errors import Misuse, StorageError


def register(app: typer.Typer) -> None:
    """Add the command to the others."""
    app.command()(export)


def export(
    person: Person,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The zip archive to write.")],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Write everything of a person into a zip archive.

    It has documents, conversations, settings, usage and audit entries.

    The archive contains no password and no other secret.

    \b
    pincite accounts export bob bob.zip
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.library import open_library
    from pincite.own_data.person_export import export_person

    library = open_library(options.load_settings(data, database, config))
    try:
        found = find_person(library.database, person)
        with options.show_status("Exporting…"):
            export_person(library, AT_TERMINAL, found.id, file, time.time())
    except FileExistsError:
        raise Misuse(f"{file} exists already.", "Give another name, or remove it first.", "file_exists") from None
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror or error}.", "Check its folder.") from error
    finally:
        library.close()
    print_note(f"{file} contains everything of {found.name}, {file.stat().st_size / 1e6:,.1f} MB.")
