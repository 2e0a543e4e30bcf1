"""Commands that wait for documents to be ready: add and reindex."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import door
from pincite.errors import EmbeddingError, Misuse, NotFound, Unreadable

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library

Password = Annotated[str | None, typer.Option("--password", help="Password of protected PDFs.")]

_TO_GO_ON = "Stopped. What was read is searchable; run the same command to go on."


def add(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files and folders; folders are read at all levels.")
    ],
    library: Annotated[str, typer.Option("--library", "-l", help="Name of the library to add to.")] = "default",
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and follow the folder as it changes.")] = False,
    password: Password = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Add files and folders, and wait until they are ready.

    A document can be searched as soon as it is read; its vectors follow. Ctrl-C stops cleanly and the same command
    goes on where it was. A file that is there already is not added twice.

    \b
    pincite add reports/
    pincite add a.pdf b.docx --library contracts
    pincite add notes/ --watch
    """
    from pincite.library import open_library
    from pincite.library.walk import walk

    settings = door.settings(data, database, config)
    errors = door.console(stderr=True)
    for path in paths:
        if "://" in path:
            raise Misuse(
                f"{path} is an address; only files and folders can be added yet.", "Save the page and add the file."
            )
    with errors.status("Looking for documents…"):
        files = [file for path in paths for file in walk(Path(path), settings.data)]
    if not files and not watch:
        errors.print(f"There are no documents in {', '.join(paths)}.")
        raise typer.Exit(door.NOTHING_FOUND)
    house = open_library(settings)
    try:
        well = _ingest(house, files, library, password, json, errors)
        if watch:
            _follow(house, [Path(path) for path in paths], library, password, json, errors)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        house.close()
    if not well:
        raise typer.Exit(door.NOTHING_FOUND)


def _ingest(
    house: "Library", files: Iterable[Path], library: str, password: str | None, json: bool, errors: "Console"
) -> bool:
    """Add files, work until they are ready, and say of each how it went; False when one failed."""
    from pincite.cli.outcomes import Outcomes, work

    outcomes = Outcomes(house, json, errors)
    with errors.status("Looking at the files…"):
        for file in files:
            try:
                outcomes.added(house.add(file, library, password))
            except (Unreadable, NotFound) as error:
                outcomes.refused(file, error)
    work(house, errors, outcomes, outcomes.documents)
    return outcomes.summed_up()


def _follow(
    house: "Library", roots: list[Path], library: str, password: str | None, json: bool, errors: "Console"
) -> None:
    from pincite.library.watch import follow

    errors.print(f"Watching {', '.join(str(root) for root in roots)}. Ctrl-C ends it.")
    for change in follow(house, roots, library):
        for gone in change.removed:
            errors.print(f"Removed {gone}.")
        if change.changed:
            _ingest(house, change.changed, library, password, json, errors)


def reindex(
    again: Annotated[
        bool, typer.Option("--all", help="Read and embed everything again, not only what is missing.")
    ] = False,
    password: Password = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Bring every document up to the present model and settings.

    Search goes on by words meanwhile. What failed or had problems is tried again. Ctrl-C stops cleanly and
    the same command goes on where it was.
    """
    from pincite.cli.outcomes import Outcomes, work
    from pincite.index.embed import embedder
    from pincite.library import Added, open_library

    settings = door.settings(data, database, config)
    house = open_library(settings)
    errors = door.console(stderr=True)
    try:
        try:
            model = embedder(settings.embedding, settings.data)
        except EmbeddingError as error:
            errors.print(f"{error.message} {error.hint}")
            model = None
        outcomes = Outcomes(house, json, errors)
        for document in house.reindex(model.name if model else None, again, password):
            outcomes.added(Added(document, "again"))
        if not outcomes.documents:
            errors.print("Everything is up to date.")
            return
        work(house, errors, outcomes, outcomes.documents)
        if not outcomes.summed_up():
            raise typer.Exit(door.NOTHING_FOUND)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        house.close()
