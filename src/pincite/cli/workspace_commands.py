"""The `workspaces` command and its subcommands: list, create, change and remove workspaces."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.library import Library
    from pincite.store.database import Connection
    from pincite.store.workspaces import StoredWorkspace
    from pincite.types import LibraryKey

Named = Annotated[str, typer.Argument(metavar="NAME", help="The name or id of a workspace.")]
Instructions = Annotated[str | None, typer.Option("--instructions", help="What the model is told with each question.")]
Libraries = Annotated[
    list[str] | None, typer.Option("--library", metavar="LIBRARY", help="A library to search; may be repeated.")
]

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_workspaces(
    context: typer.Context,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List, create, change and remove workspaces.

    A workspace has the libraries, conversations, notebooks and instructions of one piece of work.

    \b
    pincite workspaces
    pincite workspaces create "Annual report" --library reports --instructions "Answer for the board."
    pincite ask "What changed since last year?" --workspace "Annual report"
    """
    if context.invoked_subcommand:
        return
    from pincite.store import workspaces

    with _open_library(data, database, config) as library, library.database.reading() as connection:
        owner = library.settings.owner
        numbers = workspaces.count_conversations(connection, owner)
        found = [
            (each, _name_libraries(connection, each), numbers.get(each.id, 0))
            for each in workspaces.find(connection, owner)
        ]
    if json:
        options.print_json([_make_json(*each) for each in found])
    elif not found:
        options.make_console().print("There are no workspaces. `pincite workspaces create NAME` creates one.")
    else:
        from rich.table import Table

        table = Table("id", "name", "libraries", "conversations", box=None)
        for each, libraries, number in found:
            table.add_row(each.id[:8], each.name, ", ".join(libraries) or "everything", str(number))
        options.make_console().print(table)


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the workspace.")],
    instructions: Instructions = None,
    library: Libraries = None,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Create a workspace with its libraries and instructions."""
    from pincite.store import workspaces

    with _open_library(data, database, config) as opened, opened.database.writing() as connection:
        owner = opened.settings.owner
        keys = _resolve_libraries(connection, owner, library or [])
        made = workspaces.create(connection, owner, name, instructions or "")
        workspaces.set_libraries(connection, made, keys)
    options.make_console().print(f"Created {made.name} ({made.id[:8]}).")


@app.command()
def change(
    workspace: Named,
    name: Annotated[str | None, typer.Option("--name", help="Its new name.")] = None,
    instructions: Instructions = None,
    library: Libraries = None,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Change the name, the instructions or the libraries of a workspace. The libraries given replace the others."""
    from pincite.store import workspaces

    with _open_library(data, database, config) as opened, opened.database.writing() as connection:
        owner = opened.settings.owner
        found = workspaces.get(connection, owner, workspace)
        told = found.instructions if instructions is None else instructions
        changed = workspaces.change(connection, owner, found.id, name or found.name, told)
        if library is not None:
            keys = _resolve_libraries(connection, owner, library)
            workspaces.replace_readable_libraries(connection, changed, keys)
    options.make_console().print(f"Changed {changed.name}.")


@app.command()
def remove(
    workspace: Named,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove a workspace. Its documents, conversations and notebooks stay."""
    from pincite.store import workspaces

    with _open_library(data, database, config) as library, library.database.writing() as connection:
        found = workspaces.get(connection, library.settings.owner, workspace)
        workspaces.remove(connection, library.settings.owner, found.id)
    options.make_console().print(f"Removed {found.name}. Its documents, conversations and notebooks stay.")


@contextmanager
def _open_library(data: Path | None, database: str | None, config: Path | None) -> "Iterator[Library]":
    from pincite.library import open_library

    library = open_library(options.load_settings(data, database, config))
    try:
        yield library
    finally:
        library.close()


def _resolve_libraries(connection: "Connection", owner: str, given: list[str]) -> "list[LibraryKey]":
    from pincite.store.library_access import resolve_library

    return [resolve_library(connection, owner, name, "reader") for name in given]


def _name_libraries(connection: "Connection", workspace: "StoredWorkspace") -> list[str]:
    from pincite.store import workspaces

    return [key.name for key in workspaces.list_libraries(connection, workspace)]


def _make_json(workspace: "StoredWorkspace", libraries: list[str], conversations: int) -> dict[str, object]:
    return {
        "id": workspace.id,
        "name": workspace.name,
        "instructions": workspace.instructions,
        "libraries": libraries,
        "conversations": conversations,
    }
